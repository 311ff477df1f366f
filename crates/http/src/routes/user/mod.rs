//! `/v1/user`.

mod point_history;

use crate::routes::{Caller, RouteSpec};

/// The operations.
pub(super) static ROUTES: [RouteSpec; 1] =
    [RouteSpec::get("user.point_history", "/v1/user/point-history", Caller::Customer, |route| {
        route.on(point_history::point_history)
    })];
