//! `/v1/store/categories`.

mod list;

use http::Method;
use pointbook_customers::Counted;
use pointbook_endpoint_kit::{Caller, RouteSpec};
use pointbook_http::kernel::BodyLimit;

pub static ROUTES: [RouteSpec; 1] = [RouteSpec {
    name: "store.categories.list",
    method: Method::GET,
    path: "/v1/store/categories",
    caller: Caller::Customer,
    body: BodyLimit::Ordinary,
    counted: Counted::Read,
    documentation: list::documentation,
    handler: |_, request| Box::pin(list::list(request)),
}];
