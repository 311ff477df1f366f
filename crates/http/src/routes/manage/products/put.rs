//! `PUT /v1/manage/products/{productId}`: creates or replaces a product.

use http::StatusCode;
use pointbook_app::ports::UpsertOutcome;
use pointbook_app::put_product;
use pointbook_domain::ProductId;

use super::show::EXAMPLE;
use crate::answer::Answer;
use crate::body::{JsonBody, product_schema, read_product};
use crate::openapi::{BodyDoc, Operation, Tag};
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

/// What the description says of it.
pub(super) fn documentation() -> Operation {
    Operation::ours("putProduct", Tag::Management, "Create or replace a product")
        .describe(
            "Replaces all of a product. Only `stock` and `published_at` keep what is stored when they are left out; for a \
             new product that is unlimited, and now. The next request to the same process sees the change.",
        )
        .defining("NewProduct", product_schema)
        .reading(BodyDoc::Json("NewProduct", BODY))
        .answering(StatusCode::OK, "The product, which was there before.", "ManagedProductAnswer", EXAMPLE)
        .answering(StatusCode::CREATED, "The product, which is new.", "ManagedProductAnswer", EXAMPLE)
}

const BODY: &str = r#"{
    "sku": "ACM-HK-1001",
    "title": "Café mug, speckled stoneware",
    "description": "<p>A heavy mug with a thumb rest.</p>",
    "regular_price": 650,
    "sale_price": 490,
    "thumbnail": "https://images.acme.example/cafe-mug/thumbnail.webp",
    "categories": ["mugs"],
    "stock": 64,
    "popular": true
}"#;
