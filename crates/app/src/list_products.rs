//! `GET /v1/store/products`: a page of the catalogue.

use pointbook_catalogue::{ProductFilter, ProductPage, ProductQuery, ProductSort, Snapshot};
use pointbook_domain::{PageWindow, TenantSettings, Timestamp};

use crate::PageQuery;

/// What the client asks for, parsed once.
#[derive(Debug, Clone, PartialEq)]
pub struct ProductListQuery {
    /// The page.
    pub page: PageQuery,
    /// What to leave out; `new_since` is none here and follows from `only_new`.
    pub filter: ProductFilter,
    /// Whether only new products are asked for, by the tenant's window.
    pub only_new: bool,
    /// In which order.
    pub sort: ProductSort,
}

/// A page and its place among all pages.
#[derive(Debug)]
pub struct ProductList<'s> {
    /// The products.
    pub page: ProductPage<'s>,
    /// The numbers of the envelope.
    pub window: PageWindow,
}

/// Answers from the snapshot alone.
pub fn list_products<'s>(
    snapshot: &'s Snapshot,
    settings: &TenantSettings,
    query: ProductListQuery,
    now: Timestamp,
) -> ProductList<'s> {
    let ProductListQuery { page, mut filter, only_new, sort } = query;
    let request = page.request(settings);
    filter.new_since = only_new.then(|| now.minus_days(settings.new_product_days));
    let page = snapshot.list(&ProductQuery { filter, sort }, request);
    let window = request.window(page.total);
    ProductList { page, window }
}
