//! `/v1/manage/orders`: the orders of all users.

mod cancel;
mod fulfil;
mod list;
mod show;

use http::Method;
use pointbook_domain::Scope;
use pointbook_http::kernel::BodyLimit;
use pointbook_http::rate_limit::count::Counted;
use pointbook_http::{Caller, RouteSpec};

/// The path, also of links.
const PATH: &str = "/v1/manage/orders";

pub(crate) static ROUTES: [RouteSpec; 4] = [
    RouteSpec {
        name: "manage.orders.list",
        method: Method::GET,
        path: PATH,
        caller: Caller::Key(Scope::OrdersRead),
        body: BodyLimit::Ordinary,
        counted: Counted::Never,
        documentation: list::documentation,
        handler: |_, request| Box::pin(list::list(request)),
    },
    RouteSpec {
        name: "manage.orders.show",
        method: Method::GET,
        path: "/v1/manage/orders/{orderId}",
        caller: Caller::Key(Scope::OrdersRead),
        body: BodyLimit::Ordinary,
        counted: Counted::Never,
        documentation: show::documentation,
        handler: |_, request| Box::pin(show::show(request)),
    },
    RouteSpec {
        name: "manage.orders.fulfil",
        method: Method::POST,
        path: "/v1/manage/orders/{orderId}/fulfil",
        caller: Caller::Key(Scope::OrdersWrite),
        body: BodyLimit::Ordinary,
        counted: Counted::Never,
        documentation: fulfil::documentation,
        handler: |_, request| Box::pin(fulfil::fulfil(request)),
    },
    RouteSpec {
        name: "manage.orders.cancel",
        method: Method::POST,
        path: "/v1/manage/orders/{orderId}/cancel",
        caller: Caller::Key(Scope::OrdersWrite),
        body: BodyLimit::Ordinary,
        counted: Counted::Never,
        documentation: cancel::documentation,
        handler: |_, request| Box::pin(cancel::cancel(request)),
    },
];
