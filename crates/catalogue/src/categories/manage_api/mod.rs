//! `/v1/manage/categories`: the stored category tree.

mod import;
mod put;
mod show;

use http::Method;
use pointbook_domain::Scope;
use pointbook_http::kernel::BodyLimit;
use pointbook_http::rate_limit::count::Counted;
use pointbook_http::{Caller, RouteSpec};

const PATH: &str = "/v1/manage/categories";
const IMPORT: &str = "/v1/manage/categories/import";

pub(crate) static ROUTES: [RouteSpec; 3] = [
    RouteSpec {
        name: "manage.categories.show",
        method: Method::GET,
        path: PATH,
        caller: Caller::Key(Scope::ProductsRead),
        body: BodyLimit::Ordinary,
        counted: Counted::Never,
        documentation: show::documentation,
        handler: |_, request| Box::pin(show::show(request)),
    },
    RouteSpec {
        name: "manage.categories.put",
        method: Method::PUT,
        path: PATH,
        caller: Caller::Key(Scope::CategoriesWrite),
        body: BodyLimit::Ordinary,
        counted: Counted::Never,
        documentation: put::documentation,
        handler: |_, request| Box::pin(put::put(request)),
    },
    RouteSpec {
        name: "manage.categories.import",
        method: Method::POST,
        path: IMPORT,
        caller: Caller::Key(Scope::CategoriesWrite),
        body: BodyLimit::Ordinary,
        counted: Counted::Never,
        documentation: import::documentation,
        handler: |_, request| Box::pin(import::import(request)),
    },
];
