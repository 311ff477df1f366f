//! `/v1/user`: the signed-in user.

mod point_history;
mod show;

use http::Method;
use pointbook_http::kernel::BodyLimit;
use pointbook_http::rate_limit::count::Counted;
use pointbook_http::{Caller, RouteSpec};

pub(crate) static ROUTES: [RouteSpec; 2] = [
    RouteSpec {
        name: "user.show",
        method: Method::GET,
        path: "/v1/user",
        caller: Caller::Customer,
        body: BodyLimit::Ordinary,
        counted: Counted::Read,
        documentation: show::documentation,
        handler: |_, request| Box::pin(show::show(request)),
    },
    RouteSpec {
        name: "user.point_history",
        method: Method::GET,
        path: "/v1/user/point-history",
        caller: Caller::Customer,
        body: BodyLimit::Ordinary,
        counted: Counted::Read,
        documentation: point_history::documentation,
        handler: |state, request| Box::pin(point_history::point_history(state, request)),
    },
];
