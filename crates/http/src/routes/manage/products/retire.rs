//! `DELETE /v1/manage/products/{product_id}`: takes a product off the store.

use axum::response::{IntoResponse, Response};
use http::{StatusCode, Uri};
use pointbook_app::retire_product;
use pointbook_domain::ProductId;

use crate::answer::Answer;
use crate::routes::path_id;
use crate::wire::success::Done;
use crate::{ApiError, RequestContext};

/// Retires it; orders of it stay.
pub(super) async fn retire(context: RequestContext, uri: Uri) -> Result<Response, ApiError> {
    let id = path_id(&uri, ProductId::new).ok_or(ApiError::NotFound)?;
    if !retire_product(&context.tenant, &id, context.now).await? {
        return Err(ApiError::NotFound);
    }
    Ok(Answer::json(StatusCode::OK, &Done::new()).into_response())
}
