//! `/v1/manage/keys`: API keys of the back office, each with its scopes.

mod add;
mod list;
mod revoke;

use http::Method;
use pointbook_domain::Scope;
use pointbook_http::kernel::BodyLimit;
use pointbook_http::rate_limit::count::Counted;
use pointbook_http::{Caller, RouteSpec};

const PATH: &str = "/v1/manage/keys";
const ONE: &str = "/v1/manage/keys/{keyId}";

pub(crate) static ROUTES: [RouteSpec; 3] = [
    RouteSpec {
        name: "manage.keys.list",
        method: Method::GET,
        path: PATH,
        caller: Caller::Key(Scope::KeysWrite),
        body: BodyLimit::Ordinary,
        counted: Counted::Never,
        documentation: list::documentation,
        handler: |_, request| Box::pin(list::list(request)),
    },
    RouteSpec {
        name: "manage.keys.add",
        method: Method::POST,
        path: PATH,
        caller: Caller::Key(Scope::KeysWrite),
        body: BodyLimit::Ordinary,
        counted: Counted::Never,
        documentation: add::documentation,
        handler: |state, request| Box::pin(add::add(state, request)),
    },
    RouteSpec {
        name: "manage.keys.revoke",
        method: Method::DELETE,
        path: ONE,
        caller: Caller::Key(Scope::KeysWrite),
        body: BodyLimit::Ordinary,
        counted: Counted::Never,
        documentation: revoke::documentation,
        handler: |_, request| Box::pin(revoke::revoke(request)),
    },
];
