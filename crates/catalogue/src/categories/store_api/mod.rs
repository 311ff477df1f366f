//! `/v1/store/categories`: the category tree as customers see it.

mod list;

use http::Method;
use pointbook_http::kernel::BodyLimit;
use pointbook_http::rate_limit::count::Counted;
use pointbook_http::{Caller, RouteSpec};

pub(crate) static ROUTES: [RouteSpec; 1] = [RouteSpec {
    name: "store.categories.list",
    method: Method::GET,
    path: "/v1/store/categories",
    caller: Caller::Customer,
    body: BodyLimit::Ordinary,
    counted: Counted::Read,
    documentation: list::documentation,
    handler: |_, request| Box::pin(list::list(request)),
}];
