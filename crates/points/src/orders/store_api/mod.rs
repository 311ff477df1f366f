//! `/v1/store/orders`: the user's own orders.

mod cancel;
mod list;
mod place;
mod show;

use pointbook_http::{Caller, RouteSpec, route};

/// The path, also of links.
const PATH: &str = "/v1/store/orders";

pub(crate) static ROUTES: [RouteSpec; 4] = [
    route!("store.orders.place", POST PATH, Caller::Customer, place::place, place::documentation),
    route!("store.orders.list", GET PATH, Caller::Customer, list::list, list::documentation),
    route!(
        "store.orders.show", GET "/v1/store/orders/{orderId}",
        Caller::Customer, show::show, show::documentation
    ),
    route!(
        "store.orders.cancel", POST "/v1/store/orders/{orderId}/cancel",
        Caller::Customer, cancel::cancel, cancel::documentation
    ),
];
