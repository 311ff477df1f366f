//! `/v1/manage/products`.

use crate::routes::RouteSpec;

/// The operations.
pub(in crate::routes) static ROUTES: [RouteSpec; 0] = [];
