//! `GET /v1/store/products/{product_id}`: one product.

use axum::response::Response;
use http::{StatusCode, Uri};
use pointbook_domain::ProductId;

use crate::response::json;
use crate::routes::path_id;
use crate::wire::product::product_body;
use crate::{ApiError, RequestContext};

/// Answers from the snapshot; an id that no product can have is one that no product has.
pub(in crate::routes) async fn show(context: RequestContext, uri: Uri) -> Result<Response, ApiError> {
    let id = path_id(&uri, ProductId::new).ok_or(ApiError::ProductNotFound)?;
    let snapshot = context.tenant.snapshot(context.now).await?;
    let product = snapshot.product(id.as_str()).ok_or(ApiError::ProductNotFound)?;
    Ok(json(StatusCode::OK, product_body(product.json)))
}
