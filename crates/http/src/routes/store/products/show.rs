//! `GET /v1/store/products/{product_id}`: one product.

use crate::response::Response;
use crate::routes::segment;
use crate::wire::product::{product_body, product_tag};
use crate::{ApiError, Asked};

/// Answers from the snapshot; an id that no product can have is one that no product has.
pub(in crate::routes) async fn show(asked: Asked<'_>) -> Result<Response, ApiError> {
    let Some(id) = segment(asked.path) else { return Err(ApiError::ProductNotFound) };
    let snapshot = asked.tenant.snapshot(asked.now).await?;
    match snapshot.product(&id) {
        Some(product) => Ok(asked.tagged(product_tag(product), || product_body(product))),
        None => Err(ApiError::ProductNotFound),
    }
}
