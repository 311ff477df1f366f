//! `PATCH /v1/manage/products/{productId}`: changes some fields of a product.

use http::StatusCode;
use pointbook_app::patch_product;
use pointbook_describe::{BodyDoc, Operation};
use pointbook_domain::ProductId;
use pointbook_http_kernel::Response;

use super::edited;
use super::put::EXAMPLE;
use crate::body::{JsonBody, product_patch_schema, read_product_patch};
use crate::openapi::Tag;
use crate::precondition::product_condition;
use crate::routes::path_id;
use crate::{ApiError, Asked};

/// Changes what the body names, and shows what is stored then.
pub(super) async fn patch(asked: Asked<'_>) -> Result<Response, ApiError> {
    let body = JsonBody::of(&asked).await?;
    let id = path_id(asked.params(), "productId", ProductId::new);
    let draft = read_product_patch(body.fields(), id.as_ref().ok())?;
    let id = id?;
    let condition = product_condition(asked.headers);
    let tree = edited::tree(asked.tenant, draft.others.categories.as_deref()).await?;
    let edited = patch_product(&asked.context()?, id, draft, condition).await?;
    edited::show(edited.without_key()?, &tree)
}

/// What the description says of it.
pub(super) fn documentation() -> Operation {
    Operation::ours("patchProduct", Tag::Management, "Change some fields of a product")
        .describe(
            "A JSON merge patch (RFC 7396): fields that are left out keep what is stored, also when orders take pieces at \
             the same moment. Null clears `sale_price`, and makes `stock` unlimited; no other field can be null. The members of a product that was read are accepted: \
             `reserved` and `version` are ignored, and `id` must be that of the path.",
        )
        .defining("ProductPatch", product_patch_schema)
        .reading(BodyDoc::MergePatch("ProductPatch", BODY))
        .conditional()
        .answering(StatusCode::OK, "The product with the change.", "ManagedProductWritten", EXAMPLE)
        .with_headers(&["ETag"])
}

const BODY: &str = r#"{"title": "Café mug, speckled stoneware", "sale_price": 490}"#;
