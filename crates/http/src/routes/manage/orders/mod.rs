//! `/v1/manage/orders`: everybody's orders.

mod cancel;
mod fulfil;
mod list;
mod show;
mod step;

use crate::routes::{Caller, RouteSpec};

/// The path, which links begin with too.
const PATH: &str = "/v1/manage/orders";

/// The operations.
pub(in crate::routes) static ROUTES: [RouteSpec; 4] = [
    RouteSpec::get("manage.orders.list", PATH, Caller::SuperUser, |route| route.on(list::list)),
    RouteSpec::get("manage.orders.show", "/v1/manage/orders/{order_id}", Caller::SuperUser, |route| {
        route.on(show::show)
    }),
    RouteSpec::post(
        "manage.orders.fulfil",
        "/v1/manage/orders/{order_id}/fulfil",
        Caller::SuperUser,
        |route| route.on(fulfil::fulfil),
    ),
    RouteSpec::post(
        "manage.orders.cancel",
        "/v1/manage/orders/{order_id}/cancel",
        Caller::SuperUser,
        |route| route.on(cancel::cancel),
    ),
];
