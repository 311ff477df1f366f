//! `GET /v1/manage/products/{product_id}`: one product.

use http::StatusCode;
use pointbook_domain::ProductId;

use crate::answer::Answer;
use crate::response::Response;
use crate::routes::path_id;
use crate::wire::managed_product::ManagedProductView;
use crate::wire::success::Success;
use crate::{ApiError, Asked};

/// Answers with one read.
pub(super) async fn show(asked: Asked<'_>) -> Result<Response, ApiError> {
    let id = path_id(asked.path, ProductId::new).ok_or(ApiError::NotFound)?;
    let product = asked.tenant.data.product(&id).await?.ok_or(ApiError::NotFound)?;
    Ok(Answer::json(StatusCode::OK, &Success::of(ManagedProductView::from(&product))).into_response())
}
