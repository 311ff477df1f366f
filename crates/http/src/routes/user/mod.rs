//! `/v1/user`: the signed-in user.

mod point_history;
mod show;

use http::Method;
use pointbook_http_kernel::BodyLimit;

use crate::rate_limit::Counted;
use crate::routes::{Caller, RouteSpec};

pub(super) static ROUTES: [RouteSpec; 2] = [
    RouteSpec {
        name: "user.show",
        method: Method::GET,
        path: "/v1/user",
        caller: Caller::Customer,
        body: BodyLimit::Ordinary,
        counted: Counted::Read,
        documentation: show::documentation,
        handler: |_, asked| Box::pin(show::show(asked)),
    },
    RouteSpec {
        name: "user.point_history",
        method: Method::GET,
        path: "/v1/user/point-history",
        caller: Caller::Customer,
        body: BodyLimit::Ordinary,
        counted: Counted::Read,
        documentation: point_history::documentation,
        handler: |state, asked| Box::pin(point_history::point_history(state, asked)),
    },
];
