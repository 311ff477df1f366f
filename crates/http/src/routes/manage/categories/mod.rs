//! `/v1/manage/categories`: the category tree as its operator keeps it.

mod entries;
mod put;
mod show;

use crate::routes::{Caller, RouteSpec};

const PATH: &str = "/v1/manage/categories";

/// The operations.
pub(in crate::routes) static ROUTES: [RouteSpec; 2] = [
    RouteSpec::get("manage.categories.show", PATH, Caller::SuperUser, show::documentation, |_, asked| {
        Box::pin(show::show(asked))
    }),
    RouteSpec::put("manage.categories.put", PATH, Caller::SuperUser, put::documentation, |_, asked| {
        Box::pin(put::put(asked))
    }),
];
