//! `PATCH /v1/manage/products/{productId}`: changes some fields of a product.

use http::StatusCode;
use pointbook_domain::ProductId;
use pointbook_http::body::{JsonBody, schema_of};
use pointbook_http::describe::{BodyDoc, Operation};
use pointbook_http::documentation::Tag;
use pointbook_http::kernel::Response;
use pointbook_http::precondition::product_condition;
use pointbook_http::{ApiError, ApiRequest, path_id};

use super::edited;
use super::put::EXAMPLE;
use crate::products::edit::patch_product;
use crate::products::managed::read_product_patch;
use crate::products::warning_view::WrittenProductView;

/// Changes the fields in the body, and returns the stored product.
pub(super) async fn patch(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let body = JsonBody::of(&request).await?;
    let id = path_id(request.params, "productId", ProductId::new);
    let draft = read_product_patch(body.fields(), id.as_ref().ok())?;
    let id = id?;
    let condition = product_condition(request.headers);
    let tree = edited::tree(request.tenant, draft.others.categories.as_deref()).await?;
    let edited = patch_product(&request.context(), id, draft, condition).await?;
    edited::show(edited.without_key()?, &tree)
}

pub(super) fn documentation() -> Operation {
    Operation::ours("patchProduct", Tag::Management, "Change some fields of a product")
        .describe(
            "Takes a JSON merge patch (RFC 7396). Absent fields keep their values, even while orders change the stock. \
             Null clears `brand` and `sale_price`, and makes `stock` unlimited. You may send a product \
             as you read it: the server ignores `reserved` and `version`, and `id` must equal the id in the path.",
        )
        .defining("ProductPatch", || schema_of(|fields| read_product_patch(fields, None)))
        .reading(BodyDoc::MergePatch("ProductPatch", BODY))
        .conditional()
        .body::<WrittenProductView<'_>>(StatusCode::OK, "The changed product.", EXAMPLE)
        .with_headers(&["ETag"])
}

const BODY: &str = r#"{"title": "Café mug, speckled stoneware", "sale_price": 490}"#;
