//! `GET /v1/store/products/{productId}`: one product.

use pointbook_http::describe::{Missing, Operation};
use pointbook_http::documentation::{STALE, Tag};
use pointbook_http::kernel::Response;
use pointbook_http::{ApiError, ApiRequest};

use crate::cache::snapshot;
use crate::products::view::{ProductView, product_body, product_tag};

/// Reads only the snapshot. An invalid id counts as unknown.
pub(crate) async fn show(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let Some(id) = request.params.text("productId") else { return Err(ApiError::ProductNotFound) };
    let snapshot = snapshot(request.tenant, request.now).await?;
    match snapshot.product(&id) {
        Some(product) => Ok(request.tagged(product_tag(product), || product_body(product))),
        None => Err(ApiError::ProductNotFound),
    }
}

pub(super) fn documentation() -> Operation {
    Operation::documented("getProduct", Tag::Store, "Get a product")
        .describe("Returns a product. A product that the list does not show gets 404.")
        .shows::<ProductView>("The product.")
        .with_headers(STALE)
        .missing(Missing::OwnBody)
}
