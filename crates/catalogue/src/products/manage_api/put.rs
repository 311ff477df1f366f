//! `PUT /v1/manage/products/{productId}`: creates or replaces a product.

use http::StatusCode;
use pointbook_domain::ProductId;
use pointbook_http::body::{JsonBody, new_id, schema_of};
use pointbook_http::describe::{BodyDoc, Missing, Operation};
use pointbook_http::documentation::Tag;
use pointbook_http::kernel::Response;
use pointbook_http::precondition::put_condition;
use pointbook_http::{ApiError, ApiRequest, new_path_id};

use super::edited;
use crate::products::edit::put_product;
use crate::products::managed::{read_product, sample};
use crate::products::warning_view::WrittenProductView;

/// Stores the product and returns it. A product that comes back from retirement counts as new.
pub(super) async fn put(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let body = JsonBody::of(&request).await?;
    let mut fields = body.fields();
    let id = new_path_id(&mut fields, "product_id", request.params, "productId", new_id(ProductId::new));
    let draft = read_product(fields, id)?;
    let condition = put_condition(request.headers);
    let tree = edited::tree(request.tenant, Some(draft.categories())).await?;
    let edited = put_product(&request.context(), draft, condition).await?;
    edited::show(edited.without_key()?, &tree)
}

pub(super) fn documentation() -> Operation {
    Operation::ours("putProduct", Tag::Management, "Create or replace a product")
        .describe(
            "Creates a product, or replaces all of its fields. Only `stock` and `published_at` keep their values when \
             they are absent. A new product without them has unlimited stock and is published now. The next request to \
             the same instance sees the change. The server keeps category ids that are not in the tree, and names them \
             in `warnings`. You may send a product as you read it: the server ignores `reserved` and `version`, and \
             `id` must equal the id in the path.",
        )
        .defining("NewProduct", || schema_of(|fields| read_product(fields, None)))
        .reading(BodyDoc::Json("NewProduct", BODY))
        .conditional()
        .body::<WrittenProductView<'_>>(StatusCode::OK, "The replaced product.", EXAMPLE)
        .body::<WrittenProductView<'_>>(StatusCode::CREATED, "The new product.", EXAMPLE)
        .with_headers(&["ETag"])
        .missing(Missing::Never)
}

const BODY: &str = include_str!("put_body.json");

/// A written product. The patch returns the same.
pub(super) const EXAMPLE: &str = concat!(
    r#"{"success": true, "data": "#,
    sample!(),
    r#", "warnings": [{"field": "categories.0", "code": "unknown_category", "#,
    r#""message": "There is no category with the id \"mugs\"."}]}"#,
);
