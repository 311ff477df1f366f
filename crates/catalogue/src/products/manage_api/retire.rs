//! `DELETE /v1/manage/products/{productId}`: retires a product.

use http::StatusCode;
use pointbook_domain::ProductId;
use pointbook_http::describe::Operation;
use pointbook_http::documentation::Tag;
use pointbook_http::kernel::Response;
use pointbook_http::precondition::product_condition;
use pointbook_http::views::success::Done;
use pointbook_http::{Answer, ApiError, ApiRequest, path_id};
use pointbook_store::ports::ProductEditOutcome;

use super::edited::stored;
use crate::products::edit::retire_product;

/// Retires it. Its orders stay.
pub(super) async fn retire(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let id = path_id(request.params, "productId", ProductId::new)?;
    let condition = product_condition(request.headers);
    match retire_product(&request.context(), id, condition).await?.without_key()? {
        ProductEditOutcome::Retired => Ok(Answer::json(StatusCode::OK, &Done::success()).into_response()),
        other => Err(stored(other).err().unwrap_or(ApiError::Internal)),
    }
}

pub(super) fn documentation() -> Operation {
    Operation::ours("retireProduct", Tag::Management, "Retire a product")
        .describe("Customers no longer see the product. Its orders stay. A later PUT brings it back.")
        .conditional()
        .body::<Done>(StatusCode::OK, "The product is retired.", r#"{"success": true}"#)
}
