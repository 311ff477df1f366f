//! `/v1/manage/orders`: the orders of all users.

mod cancel;
mod fulfil;
mod list;
mod show;

use pointbook_domain::Scope;
use pointbook_http::{Caller, RouteSpec, route};

/// The path, also of links.
const PATH: &str = "/v1/manage/orders";

pub(crate) static ROUTES: [RouteSpec; 4] = [
    route!("manage.orders.list", GET PATH, Caller::Key(Scope::OrdersRead), list::list, list::documentation),
    route!(
        "manage.orders.show", GET "/v1/manage/orders/{orderId}",
        Caller::Key(Scope::OrdersRead), show::show, show::documentation
    ),
    route!(
        "manage.orders.fulfil", POST "/v1/manage/orders/{orderId}/fulfil",
        Caller::Key(Scope::OrdersWrite), fulfil::fulfil, fulfil::documentation
    ),
    route!(
        "manage.orders.cancel", POST "/v1/manage/orders/{orderId}/cancel",
        Caller::Key(Scope::OrdersWrite), cancel::cancel, cancel::documentation
    ),
];
