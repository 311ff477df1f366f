//! `/v1/manage/products`: the catalogue of the back office.

mod adjust_stock;
mod bulk;
mod edited;
mod import;
mod list;
mod patch;
mod put;
mod retire;
mod show;

use pointbook_domain::Scope;
use pointbook_http::kernel::BodyLimit;
use pointbook_http::{Caller, RouteSpec, route};

/// The path, also of links.
const PATH: &str = "/v1/manage/products";
const ONE: &str = "/v1/manage/products/{productId}";

pub(crate) static ROUTES: [RouteSpec; 8] = [
    route!(
        "manage.products.list", GET PATH,
        Caller::Key(Scope::ProductsRead), list::list, list::documentation
    ),
    route!(
        "manage.products.show", GET ONE,
        Caller::Key(Scope::ProductsRead), show::show, show::documentation
    ),
    route!("manage.products.put", PUT ONE, Caller::Key(Scope::ProductsWrite), put::put, put::documentation),
    route!(
        "manage.products.patch", PATCH ONE,
        Caller::Key(Scope::ProductsWrite), patch::patch, patch::documentation
    ),
    route!(
        "manage.products.adjust_stock", POST "/v1/manage/products/{productId}/stock",
        Caller::Key(Scope::ProductsWrite), adjust_stock::adjust_stock, adjust_stock::documentation
    ),
    route!(
        "manage.products.retire", DELETE ONE,
        Caller::Key(Scope::ProductsWrite), retire::retire, retire::documentation
    ),
    route!(
        "manage.products.bulk", POST "/v1/manage/products/bulk",
        Caller::Key(Scope::ProductsWrite), bulk::bulk, bulk::documentation
    ),
    route!(
        "manage.products.import", POST "/v1/manage/products/import",
        Caller::Key(Scope::ProductsWrite), import::import, import::documentation, BodyLimit::Import
    ),
];
