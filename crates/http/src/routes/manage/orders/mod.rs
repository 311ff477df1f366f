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
    RouteSpec::get("manage.orders.list", PATH, Caller::SuperUser, list::documentation, |_, asked| {
        Box::pin(list::list(asked))
    }),
    RouteSpec::get(
        "manage.orders.show",
        "/v1/manage/orders/{orderId}",
        Caller::SuperUser,
        show::documentation,
        |_, asked| Box::pin(show::show(asked)),
    ),
    RouteSpec::post(
        "manage.orders.fulfil",
        "/v1/manage/orders/{orderId}/fulfil",
        Caller::SuperUser,
        fulfil::documentation,
        |_, asked| Box::pin(fulfil::fulfil(asked)),
    ),
    RouteSpec::post(
        "manage.orders.cancel",
        "/v1/manage/orders/{orderId}/cancel",
        Caller::SuperUser,
        cancel::documentation,
        |state, asked| Box::pin(cancel::cancel(state, asked)),
    ),
];
