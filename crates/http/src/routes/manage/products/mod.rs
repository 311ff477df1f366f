//! `/v1/manage/products`: the catalogue as its operator keeps it.

mod import;
mod list;
mod put;
mod retire;
mod show;

use crate::routes::{Caller, RouteSpec};

/// The path, which links begin with too.
const PATH: &str = "/v1/manage/products";
const ONE: &str = "/v1/manage/products/{product_id}";
const IMPORT: &str = "/v1/manage/products/import";

/// The operations.
pub(in crate::routes) static ROUTES: [RouteSpec; 5] = [
    RouteSpec::get("manage.products.list", PATH, Caller::SuperUser, |route| route.on(list::list)),
    RouteSpec::get("manage.products.show", ONE, Caller::SuperUser, |route| route.on(show::show)),
    RouteSpec::put("manage.products.put", ONE, Caller::SuperUser, |route| route.on(put::put)),
    RouteSpec::delete("manage.products.retire", ONE, Caller::SuperUser, |route| route.on(retire::retire)),
    RouteSpec::import("manage.products.import", IMPORT, Caller::SuperUser, |route| route.on(import::import)),
];
