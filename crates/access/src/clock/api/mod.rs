//! `/v1/manage/clock`: the time of a tenant, which is virtual for some staging tenants.

mod put;
mod show;

use http::Method;
use pointbook_domain::Scope;
use pointbook_http::kernel::BodyLimit;
use pointbook_http::rate_limit::count::Counted;
use pointbook_http::{Caller, RouteSpec};

const PATH: &str = "/v1/manage/clock";

/// A clock affects everything of a tenant, so it takes the scope of the highest trust.
pub(crate) static ROUTES: [RouteSpec; 2] = [
    RouteSpec {
        name: "manage.clock.show",
        method: Method::GET,
        path: PATH,
        caller: Caller::Key(Scope::KeysWrite),
        body: BodyLimit::Ordinary,
        counted: Counted::Never,
        documentation: show::documentation,
        handler: |_, request| Box::pin(std::future::ready(Ok(show::show(&request)))),
    },
    RouteSpec {
        name: "manage.clock.put",
        method: Method::PUT,
        path: PATH,
        caller: Caller::Key(Scope::KeysWrite),
        body: BodyLimit::Ordinary,
        counted: Counted::Never,
        documentation: put::documentation,
        handler: |_, request| Box::pin(put::put(request)),
    },
];
