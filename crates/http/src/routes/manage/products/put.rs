//! `PUT /v1/manage/products/{productId}`: creates or replaces a product.

use http::StatusCode;
use pointbook_app::put_product;
use pointbook_describe::{BodyDoc, Missing, Operation};
use pointbook_domain::ProductId;
use pointbook_http_kernel::Response;

use super::edited;
use crate::body::{JsonBody, product_schema, read_product};
use crate::openapi::Tag;
use crate::precondition::put_condition;
use crate::routes::new_path_id;
use crate::{ApiError, Asked};

/// Puts it, and shows what is stored then. A product that comes back from retirement is new.
pub(super) async fn put(asked: Asked<'_>) -> Result<Response, ApiError> {
    let body = JsonBody::of(&asked).await?;
    let mut fields = body.fields();
    let id = new_path_id(&mut fields, "product_id", asked.params(), "productId", ProductId::new);
    let draft = read_product(fields, id)?;
    let condition = put_condition(asked.headers);
    let tree = edited::tree(asked.tenant, Some(&draft.categories)).await?;
    let edited = put_product(&asked.context()?, draft, condition).await?;
    edited::show(edited.without_key()?, &tree)
}

/// What the description says of it.
pub(super) fn documentation() -> Operation {
    Operation::ours("putProduct", Tag::Management, "Create or replace a product")
        .describe(
            "Replaces all of a product. Only `stock` and `published_at` keep what is stored when they are left out; for a \
             new product that is unlimited, and now. The next request to the same process sees the change. Categories that \
             the tree lacks are kept, and named in `warnings`. A product is accepted as it was read: `reserved` and `version` \
             are ignored, and `id` must be that of the path.",
        )
        .defining("NewProduct", product_schema)
        .reading(BodyDoc::Json("NewProduct", BODY))
        .conditional()
        .answering(StatusCode::OK, "The product, which was there before.", "ManagedProductWritten", EXAMPLE)
        .answering(StatusCode::CREATED, "The product, which is new.", "ManagedProductWritten", EXAMPLE)
        .with_headers(&["ETag"])
        .missing(Missing::Never)
}

const BODY: &str = include_str!("put_body.json");

/// A product as it was written; a patch gives the same one.
pub(super) const EXAMPLE: &str = include_str!("put.json");
