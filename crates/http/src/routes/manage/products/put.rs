//! `PUT /v1/manage/products/{product_id}`: creates or replaces a product.

use http::StatusCode;
use pointbook_app::ports::UpsertOutcome;
use pointbook_app::put_product;
use pointbook_domain::ProductId;

use crate::answer::Answer;
use crate::body::{JsonBody, read_product};
use crate::response::Response;
use crate::routes::new_path_id;
use crate::wire::managed_product::ManagedProductView;
use crate::wire::success::Success;
use crate::{ApiError, Asked};

/// Puts it, and shows what is stored then. A product that comes back from retirement is new.
pub(super) async fn put(mut asked: Asked<'_>) -> Result<Response, ApiError> {
    let body = JsonBody::of(&mut asked).await?;
    let mut fields = body.fields();
    let id = new_path_id(&mut fields, "product_id", asked.path, ProductId::new);
    let draft = read_product(fields, id)?;
    let put = put_product(asked.tenant, draft, asked.now).await?.ok_or(ApiError::NotFound)?;
    let status = match put.outcome {
        UpsertOutcome::Created => StatusCode::CREATED,
        UpsertOutcome::Replaced | UpsertOutcome::Unchanged => StatusCode::OK,
    };
    Ok(Answer::json(status, &Success::of(ManagedProductView::from(&put.stored))).into_response())
}
