//! `/v1/user`: the signed-in user.

mod point_history;
mod show;

use crate::routes::{Caller, RouteSpec};

/// The operations.
pub(super) static ROUTES: [RouteSpec; 2] = [
    RouteSpec::get("user.show", "/v1/user", Caller::Customer, |route| route.on(show::show)),
    RouteSpec::get("user.point_history", "/v1/user/point-history", Caller::Customer, |route| {
        route.on(point_history::point_history)
    }),
];
