//! `/v1/manage/activities`.

mod import;

use http::Method;
use pointbook_customers::Counted;
use pointbook_domain::Scope;
use pointbook_endpoint_kit::{Caller, RouteSpec};
use pointbook_http::kernel::BodyLimit;

pub static ROUTES: [RouteSpec; 1] = [RouteSpec {
    name: "manage.activities.import",
    method: Method::POST,
    path: "/v1/manage/activities/import",
    caller: Caller::Key(Scope::ActivitiesWrite),
    body: BodyLimit::Import,
    counted: Counted::Never,
    documentation: import::documentation,
    handler: |state, request| Box::pin(import::import(state, request)),
}];
