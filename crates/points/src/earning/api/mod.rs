//! `/v1/manage/activities`: the import of past activities. A single activity is recorded below `/v1/manage/users`.

mod import;

use pointbook_domain::Scope;
use pointbook_http::kernel::BodyLimit;
use pointbook_http::{Caller, RouteSpec, route};

pub(crate) static ROUTES: [RouteSpec; 1] = [route!(
    "manage.activities.import", POST "/v1/manage/activities/import",
    Caller::Key(Scope::ActivitiesWrite), import::import, import::documentation, BodyLimit::Import
)];
