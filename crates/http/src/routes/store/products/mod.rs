//! `/v1/store/products`.

mod list;
mod show;

use crate::routes::{Caller, RouteSpec};

/// The operations.
pub(in crate::routes) static ROUTES: [RouteSpec; 2] = [
    RouteSpec::get("store.products.list", list::PATH, Caller::Customer, list::documentation, |_, asked| {
        Box::pin(list::list(asked))
    }),
    RouteSpec::get(
        "store.products.show",
        "/v1/store/products/{productId}",
        Caller::Customer,
        show::documentation,
        |_, asked| Box::pin(show::show(asked)),
    ),
];
