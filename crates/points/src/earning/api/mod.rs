//! `/v1/manage/activities`: the import of past activities. A single activity is recorded below `/v1/manage/users`.

mod import;

use http::Method;
use pointbook_domain::Scope;
use pointbook_http::kernel::BodyLimit;
use pointbook_http::rate_limit::count::Counted;
use pointbook_http::{Caller, RouteSpec};

pub(crate) static ROUTES: [RouteSpec; 1] = [RouteSpec {
    name: "manage.activities.import",
    method: Method::POST,
    path: "/v1/manage/activities/import",
    caller: Caller::Key(Scope::ActivitiesWrite),
    body: BodyLimit::Import,
    counted: Counted::Never,
    documentation: import::documentation,
    handler: |state, request| Box::pin(import::import(state, request)),
}];
