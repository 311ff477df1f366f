//! `/v1/manage/activities`.

mod import;

use crate::routes::{Caller, RouteSpec};

/// The operations.
pub(in crate::routes) static ROUTES: [RouteSpec; 1] = [RouteSpec::import(
    "manage.activities.import",
    "/v1/manage/activities/import",
    Caller::SuperUser,
    import::documentation,
    |state, asked| Box::pin(import::import(state, asked)),
)];
