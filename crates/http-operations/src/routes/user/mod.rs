//! `/v1/user`: the signed-in user.

mod point_history;
mod show;

use http::Method;
use pointbook_customers::Counted;
use pointbook_endpoint_kit::{Caller, RouteSpec};
use pointbook_http::kernel::BodyLimit;

pub static ROUTES: [RouteSpec; 2] = [
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
