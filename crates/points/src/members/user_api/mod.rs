//! `/v1/user`: the signed-in user.

mod point_history;
mod show;

use pointbook_http::{Caller, RouteSpec, route};

pub(crate) static ROUTES: [RouteSpec; 2] = [
    route!("user.show", GET "/v1/user", Caller::Customer, show::show, show::documentation),
    route!(
        "user.point_history", GET "/v1/user/point-history",
        Caller::Customer, point_history::point_history, point_history::documentation
    ),
];
