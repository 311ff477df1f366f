//! `/v1/store/products`: the catalogue as customers see it.

mod list;
mod show;

use http::Method;
use pointbook_http::kernel::BodyLimit;
use pointbook_http::rate_limit::count::Counted;
use pointbook_http::{Caller, RouteSpec};

pub(crate) static ROUTES: [RouteSpec; 2] = [
    RouteSpec {
        name: "store.products.list",
        method: Method::GET,
        path: list::PATH,
        caller: Caller::Customer,
        body: BodyLimit::Ordinary,
        counted: Counted::Read,
        documentation: list::documentation,
        handler: |_, request| Box::pin(list::list(request)),
    },
    RouteSpec {
        name: "store.products.show",
        method: Method::GET,
        path: "/v1/store/products/{productId}",
        caller: Caller::Customer,
        body: BodyLimit::Ordinary,
        counted: Counted::Read,
        documentation: show::documentation,
        handler: |_, request| Box::pin(show::show(request)),
    },
];
