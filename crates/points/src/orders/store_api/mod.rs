//! `/v1/store/orders`: the user's own orders.

mod cancel;
mod list;
mod place;
mod show;

use http::Method;
use pointbook_http::kernel::BodyLimit;
use pointbook_http::rate_limit::count::Counted;
use pointbook_http::{Caller, RouteSpec};

/// The path, also of links.
const PATH: &str = "/v1/store/orders";

pub(crate) static ROUTES: [RouteSpec; 4] = [
    RouteSpec {
        name: "store.orders.place",
        method: Method::POST,
        path: PATH,
        caller: Caller::Customer,
        body: BodyLimit::Ordinary,
        counted: Counted::Write,
        documentation: place::documentation,
        handler: |_, request| Box::pin(place::place(request)),
    },
    RouteSpec {
        name: "store.orders.list",
        method: Method::GET,
        path: PATH,
        caller: Caller::Customer,
        body: BodyLimit::Ordinary,
        counted: Counted::Read,
        documentation: list::documentation,
        handler: |_, request| Box::pin(list::list(request)),
    },
    RouteSpec {
        name: "store.orders.show",
        method: Method::GET,
        path: "/v1/store/orders/{orderId}",
        caller: Caller::Customer,
        body: BodyLimit::Ordinary,
        counted: Counted::Read,
        documentation: show::documentation,
        handler: |_, request| Box::pin(show::show(request)),
    },
    RouteSpec {
        name: "store.orders.cancel",
        method: Method::POST,
        path: "/v1/store/orders/{orderId}/cancel",
        caller: Caller::Customer,
        body: BodyLimit::Ordinary,
        counted: Counted::Write,
        documentation: cancel::documentation,
        handler: |_, request| Box::pin(cancel::cancel(request)),
    },
];
