//! `/v1/manage/products`: the catalogue as its operator keeps it.

mod import;
mod list;
mod put;
mod retire;
mod show;

use crate::routes::{Caller, RouteSpec};

/// The path, which links begin with too.
const PATH: &str = "/v1/manage/products";
const ONE: &str = "/v1/manage/products/{productId}";
const IMPORT: &str = "/v1/manage/products/import";

/// The operations.
pub(in crate::routes) static ROUTES: [RouteSpec; 5] = [
    RouteSpec::get("manage.products.list", PATH, Caller::SuperUser, list::documentation, |_, asked| {
        Box::pin(list::list(asked))
    }),
    RouteSpec::get("manage.products.show", ONE, Caller::SuperUser, show::documentation, |_, asked| {
        Box::pin(show::show(asked))
    }),
    RouteSpec::put("manage.products.put", ONE, Caller::SuperUser, put::documentation, |_, asked| {
        Box::pin(put::put(asked))
    }),
    RouteSpec::delete("manage.products.retire", ONE, Caller::SuperUser, retire::documentation, |_, asked| {
        Box::pin(retire::retire(asked))
    }),
    RouteSpec::import(
        "manage.products.import",
        IMPORT,
        Caller::SuperUser,
        import::documentation,
        |_, asked| Box::pin(import::import(asked)),
    ),
];
