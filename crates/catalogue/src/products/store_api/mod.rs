//! `/v1/store/products`: the catalogue as customers see it.

mod list;
mod show;

use pointbook_http::{Caller, RouteSpec, route};

pub(crate) static ROUTES: [RouteSpec; 2] = [
    route!("store.products.list", GET list::PATH, Caller::Customer, list::list, list::documentation),
    route!(
        "store.products.show", GET "/v1/store/products/{productId}",
        Caller::Customer, show::show, show::documentation
    ),
];
