//! The product that the path of a page names.

use pointbook_access::console_kit::path_part::segment;
use pointbook_access::console_kit::visit::Visit;
use pointbook_domain::ProductId;
use pointbook_http::pages::PageError;
use pointbook_store::ports::StoredProduct;

pub(super) fn path_id(visit: &Visit<'_>) -> Result<ProductId, PageError> {
    ProductId::new(visit.param("id")?).map_err(|_| PageError::NotFound)
}

pub(super) async fn find(visit: &Visit<'_>) -> Result<StoredProduct, PageError> {
    visit.served.data.product(&path_id(visit)?).await?.ok_or(PageError::NotFound)
}

/// The path of a product, and of what is below it.
pub(super) fn path(visit: &Visit<'_>, id: &ProductId, below: &str) -> String {
    visit.path(&format!("/products/{}{below}", segment(id.as_str())))
}
