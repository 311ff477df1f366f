//! `/v1/manage/categories`: the stored category tree.

mod import;
mod put;
mod show;

use pointbook_domain::Scope;
use pointbook_http::{Caller, RouteSpec, route};

const PATH: &str = "/v1/manage/categories";

pub(crate) static ROUTES: [RouteSpec; 3] = [
    route!(
        "manage.categories.show", GET PATH,
        Caller::Key(Scope::ProductsRead), show::show, show::documentation
    ),
    route!(
        "manage.categories.put", PUT PATH,
        Caller::Key(Scope::CategoriesWrite), put::put, put::documentation
    ),
    route!(
        "manage.categories.import", POST "/v1/manage/categories/import",
        Caller::Key(Scope::CategoriesWrite), import::import, import::documentation
    ),
];
