//! `/v1/manage/products`: the catalogue of the back office.

mod adjust_stock;
mod edited;
mod import;
mod list;
mod patch;
mod put;
mod retire;
mod show;

use http::Method;
use pointbook_domain::Scope;
use pointbook_http::kernel::BodyLimit;
use pointbook_http::rate_limit::count::Counted;
use pointbook_http::{Caller, RouteSpec};

/// The path, also of links.
const PATH: &str = "/v1/manage/products";
const ONE: &str = "/v1/manage/products/{productId}";
const STOCK: &str = "/v1/manage/products/{productId}/stock";
const IMPORT: &str = "/v1/manage/products/import";

pub(crate) static ROUTES: [RouteSpec; 7] = [
    RouteSpec {
        name: "manage.products.list",
        method: Method::GET,
        path: PATH,
        caller: Caller::Key(Scope::ProductsRead),
        body: BodyLimit::Ordinary,
        counted: Counted::Never,
        documentation: list::documentation,
        handler: |_, request| Box::pin(list::list(request)),
    },
    RouteSpec {
        name: "manage.products.show",
        method: Method::GET,
        path: ONE,
        caller: Caller::Key(Scope::ProductsRead),
        body: BodyLimit::Ordinary,
        counted: Counted::Never,
        documentation: show::documentation,
        handler: |_, request| Box::pin(show::show(request)),
    },
    RouteSpec {
        name: "manage.products.put",
        method: Method::PUT,
        path: ONE,
        caller: Caller::Key(Scope::ProductsWrite),
        body: BodyLimit::Ordinary,
        counted: Counted::Never,
        documentation: put::documentation,
        handler: |_, request| Box::pin(put::put(request)),
    },
    RouteSpec {
        name: "manage.products.patch",
        method: Method::PATCH,
        path: ONE,
        caller: Caller::Key(Scope::ProductsWrite),
        body: BodyLimit::Ordinary,
        counted: Counted::Never,
        documentation: patch::documentation,
        handler: |_, request| Box::pin(patch::patch(request)),
    },
    RouteSpec {
        name: "manage.products.adjust_stock",
        method: Method::POST,
        path: STOCK,
        caller: Caller::Key(Scope::ProductsWrite),
        body: BodyLimit::Ordinary,
        counted: Counted::Never,
        documentation: adjust_stock::documentation,
        handler: |_, request| Box::pin(adjust_stock::adjust_stock(request)),
    },
    RouteSpec {
        name: "manage.products.retire",
        method: Method::DELETE,
        path: ONE,
        caller: Caller::Key(Scope::ProductsWrite),
        body: BodyLimit::Ordinary,
        counted: Counted::Never,
        documentation: retire::documentation,
        handler: |_, request| Box::pin(retire::retire(request)),
    },
    RouteSpec {
        name: "manage.products.import",
        method: Method::POST,
        path: IMPORT,
        caller: Caller::Key(Scope::ProductsWrite),
        body: BodyLimit::Import,
        counted: Counted::Never,
        documentation: import::documentation,
        handler: |state, request| Box::pin(import::import(state, request)),
    },
];
