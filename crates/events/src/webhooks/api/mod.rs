//! `/v1/manage/webhooks`: endpoints that get the events of the feed.

mod add;
mod cursor;
mod fields;
mod put;
mod read;
mod test;

use http::Method;
use pointbook_domain::Scope;
use pointbook_http::describe::Operation;
use pointbook_http::kernel::BodyLimit;
use pointbook_http::rate_limit::count::Counted;
use pointbook_http::{Caller, Handler, RouteSpec};

const PATH: &str = "/v1/manage/webhooks";
const ONE: &str = "/v1/manage/webhooks/{webhookId}";

/// A webhook sends events to a URL of the caller, so the caller may read them.
const CALLER: Caller = Caller::KeyOfBoth([Scope::WebhooksWrite, Scope::EventsRead]);

/// A row of the table. All have the same caller.
const fn route(
    name: &'static str,
    method: Method,
    path: &'static str,
    documentation: fn() -> Operation,
    handler: Handler,
) -> RouteSpec {
    let (caller, body, counted) = (CALLER, BodyLimit::Ordinary, Counted::Never);
    RouteSpec { name, method, path, caller, body, counted, documentation, handler }
}

pub(crate) static ROUTES: [RouteSpec; 10] = [
    route("manage.webhooks.list", Method::GET, PATH, read::list_documentation, |_, request| {
        Box::pin(read::list(request))
    }),
    route("manage.webhooks.add", Method::POST, PATH, add::documentation, |state, request| {
        Box::pin(add::add(state, request))
    }),
    route("manage.webhooks.show", Method::GET, ONE, read::show_documentation, |_, request| {
        Box::pin(read::show(request))
    }),
    route("manage.webhooks.put", Method::PUT, ONE, put::documentation, |state, request| {
        Box::pin(put::put(state, request))
    }),
    route("manage.webhooks.remove", Method::DELETE, ONE, put::remove_documentation, |_, request| {
        Box::pin(put::remove(request))
    }),
    route(
        "manage.webhooks.rotate",
        Method::POST,
        "/v1/manage/webhooks/{webhookId}/rotate",
        add::rotate_documentation,
        |state, request| Box::pin(add::rotate(state, request)),
    ),
    route(
        "manage.webhooks.test",
        Method::POST,
        "/v1/manage/webhooks/{webhookId}/test",
        test::documentation,
        |state, request| Box::pin(test::test(state, request)),
    ),
    route(
        "manage.webhooks.rewind",
        Method::POST,
        "/v1/manage/webhooks/{webhookId}/rewind",
        cursor::rewind_documentation,
        |_, request| Box::pin(cursor::rewind(request)),
    ),
    route(
        "manage.webhooks.skip",
        Method::POST,
        "/v1/manage/webhooks/{webhookId}/skip",
        cursor::skip_documentation,
        |_, request| Box::pin(cursor::skip(request)),
    ),
    route(
        "manage.webhooks.attempts",
        Method::GET,
        "/v1/manage/webhooks/{webhookId}/attempts",
        read::attempts_documentation,
        |_, request| Box::pin(read::attempts(request)),
    ),
];
