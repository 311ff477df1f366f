//! `/v1/store/categories`.

mod list;

use crate::routes::{Caller, RouteSpec};

/// The operations.
pub(in crate::routes) static ROUTES: [RouteSpec; 1] = [RouteSpec::get(
    "store.categories.list",
    "/v1/store/categories",
    Caller::Customer,
    list::documentation,
    |_, asked| Box::pin(list::list(asked)),
)];
