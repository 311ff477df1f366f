//! `GET /v1/manage/products/{product_id}`: one product.

use axum::response::{IntoResponse, Response};
use http::{StatusCode, Uri};
use pointbook_domain::ProductId;

use crate::answer::Answer;
use crate::routes::path_id;
use crate::wire::managed_product::ManagedProductView;
use crate::wire::success::Success;
use crate::{ApiError, RequestContext};

/// Answers with one read.
pub(super) async fn show(context: RequestContext, uri: Uri) -> Result<Response, ApiError> {
    let id = path_id(&uri, ProductId::new).ok_or(ApiError::NotFound)?;
    let product = context.tenant.data.product(&id).await?.ok_or(ApiError::NotFound)?;
    Ok(Answer::json(StatusCode::OK, &Success::of(ManagedProductView::from(&product))).into_response())
}
