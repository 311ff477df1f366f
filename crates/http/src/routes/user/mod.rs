//! `/v1/user`: the signed-in user.

mod point_history;
mod show;

use crate::routes::{Caller, RouteSpec};

/// The operations.
pub(super) static ROUTES: [RouteSpec; 2] = [
    RouteSpec::get("user.show", "/v1/user", Caller::Customer, show::documentation, |_, asked| {
        Box::pin(show::show(asked))
    }),
    RouteSpec::get(
        "user.point_history",
        "/v1/user/point-history",
        Caller::Customer,
        point_history::documentation,
        |state, asked| Box::pin(point_history::point_history(state, asked)),
    ),
];
