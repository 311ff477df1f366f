//! `/v1/manage/orders`.

use crate::routes::RouteSpec;

/// The operations.
pub(in crate::routes) static ROUTES: [RouteSpec; 0] = [];
