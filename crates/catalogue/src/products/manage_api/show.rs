//! `GET /v1/manage/products/{productId}`: one product.

use http::StatusCode;
use pointbook_domain::ProductId;
use pointbook_http::describe::Operation;
use pointbook_http::documentation::Tag;
use pointbook_http::kernel::{Response, is_known};
use pointbook_http::precondition::product_tag;
use pointbook_http::views::success::Success;
use pointbook_http::{Answer, ApiError, ApiRequest, path_id};

use super::edited::tagged;
use crate::products::managed::ManagedProductView;

/// Answers with one read.
pub(super) async fn show(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let id = path_id(request.params, "productId", ProductId::new)?;
    let product = request.tenant.data.product(&id).await?.ok_or(ApiError::NotFound)?;
    let tag = product_tag(&product);
    if is_known(tag.as_bytes(), request.headers) {
        return Ok(tagged(Response::empty(StatusCode::NOT_MODIFIED), &product));
    }
    let answer = Answer::json(StatusCode::OK, &Success::of(ManagedProductView::from(&product)));
    Ok(tagged(answer.into_response(), &product))
}

pub(super) fn documentation() -> Operation {
    Operation::ours("getManagedProduct", Tag::Management, "Get a product as it is stored")
        .describe(
            "Returns a product with its stock, and with the description as you sent it. Use its `ETag` in \
                   `If-Match`. The response is never compressed, so the `ETag` is strong.",
        )
        .shows::<ManagedProductView<'_>>("The product.")
}
