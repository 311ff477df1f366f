//! `/v1/store/orders`: the user's own orders.

mod list;
mod place;
mod show;

use crate::routes::{Caller, RouteSpec};

/// The path, which links begin with too.
const PATH: &str = "/v1/store/orders";

/// The operations.
pub(in crate::routes) static ROUTES: [RouteSpec; 3] = [
    RouteSpec::post("store.orders.place", PATH, Caller::Customer, place::documentation, |state, asked| {
        Box::pin(place::place(state, asked))
    }),
    RouteSpec::get("store.orders.list", PATH, Caller::Customer, list::documentation, |_, asked| {
        Box::pin(list::list(asked))
    }),
    RouteSpec::get(
        "store.orders.show",
        "/v1/store/orders/{orderId}",
        Caller::Customer,
        show::documentation,
        |_, asked| Box::pin(show::show(asked)),
    ),
];
