//! `/v1/store/products`.

mod list;
mod show;

use crate::routes::{Caller, RouteSpec};

/// The operations.
pub(in crate::routes) static ROUTES: [RouteSpec; 2] = [
    RouteSpec::get("store.products.list", list::PATH, Caller::Customer, |route| route.on(list::list)),
    RouteSpec::get("store.products.show", "/v1/store/products/{product_id}", Caller::Customer, |route| {
        route.on(show::show)
    }),
];
