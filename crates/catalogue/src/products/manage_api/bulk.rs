//! `POST /v1/manage/products/bulk`: changes many products in the same way, with a result for each.

use http::StatusCode;
use pointbook_domain::ProductId;
use pointbook_http::answer::finish;
use pointbook_http::body::{JsonBody, schema_of};
use pointbook_http::describe::{BodyDoc, Operation, Schema};
use pointbook_http::documentation::Tag;
use pointbook_http::error::{FieldCode, FieldErrors, Rule};
use pointbook_http::kernel::Response;
use pointbook_http::views::success::{Success, success_named};
use pointbook_http::{Answer, ApiError, ApiRequest, view};
use pointbook_store::ports::{ProductEditOutcome, UpsertOutcome};

use super::edited::refused;
use crate::products::edit::edit_products;
use crate::products::managed::{MAX_BULK_PRODUCTS, read_bulk_change};

/// One commit with an entry of the audit log for each product that changed.
pub(super) async fn bulk(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let body = JsonBody::of(&request).await?;
    let (ids, edit) = read_bulk_change(body.fields())?;
    let known = ids.clone();
    let render = move |outcomes: &Vec<ProductEditOutcome>| answer(&known, outcomes);
    let context = request.once(body.key, render.clone());
    finish(edit_products(&context, ids, edit).await?, render)
}

view! {
    struct BulkView<'r> as "BulkChanged" {
        changed: usize,
        unchanged: usize,
        /// Products that could not be changed so.
        refused: usize,
        /// One for each id, in the order of the request.
        results: Vec<BulkResultView<'r>> => Schema::list(Schema::named("BulkResult")).at_most(MAX_BULK_PRODUCTS),
    }

    /// What became of a product.
    struct BulkResultView<'r> as "BulkResult" {
        id: &'r str => Schema::id(),
        /// `changed`, `unchanged` or `refused`.
        result: &'static str => Schema::one_of(["changed", "unchanged", "refused"]),
        /// Why it was refused: `unknown_product`, `unlimited_stock`, `insufficient_stock`, `too_large` or `sale_price_above_regular`.
        /// Otherwise null.
        code: Option<&'static str> => Schema::text().or_null(),
        /// The same in words.
        message: Option<String> => Schema::text().or_null(),
    }
}

fn answer(ids: &[ProductId], outcomes: &[ProductEditOutcome]) -> Answer {
    let results: Vec<_> = ids.iter().zip(outcomes).map(|(id, outcome)| of(id, outcome)).collect();
    let count = |kind| results.iter().filter(|row| row.result == kind).count();
    let (changed, unchanged, refused) = (count("changed"), count("unchanged"), count("refused"));
    Answer::json(StatusCode::OK, &Success::of(BulkView { changed, unchanged, refused, results }))
}

fn of<'r>(id: &'r ProductId, outcome: &ProductEditOutcome) -> BulkResultView<'r> {
    let view = |result| BulkResultView { id: id.as_str(), result, code: None, message: None };
    let errors = match outcome {
        ProductEditOutcome::Stored(UpsertOutcome::Unchanged, _) => return view("unchanged"),
        ProductEditOutcome::Stored(..) => return view("changed"),
        ProductEditOutcome::Refused(refusal) => refused(*refusal),
        ProductEditOutcome::Retired | ProductEditOutcome::Unknown | ProductEditOutcome::ConditionFailed => {
            let rule = Rule::new(FieldCode::UnknownProduct, "must be the id of a product");
            FieldErrors::one("id", rule)
        }
    };
    let told = errors.problems().next().map(|(_, code, message)| (code.as_str(), message.to_owned()));
    let (code, message) = told.unzip();
    BulkResultView { code, message, ..view("refused") }
}

pub(super) fn documentation() -> Operation {
    Operation::ours("changeProducts", Tag::Management, "Change many products in the same way")
        .describe(
            "Takes up to 500 ids and one change: a stock or a difference of the stock, prices, `popular` or `active`. Each product is \
             changed or refused on its own, in one commit, and the response has a result for each. Absent fields keep their values. \
             `stock_difference` stands alone. To show or hide products, send `active`.",
        )
        .defining("BulkChange", || schema_of(read_bulk_change))
        .reading(BodyDoc::Json("BulkChange", r#"{"product_ids": ["cafe-mug", "enamel-mug"], "change": {"stock_difference": 20}}"#))
        .answering(StatusCode::OK, "The result of each product.", success_named::<BulkView<'_>>("ProductsChanged"), EXAMPLE)
}

const EXAMPLE: &str = r#"{
    "success": true,
    "data": {"changed": 1, "unchanged": 0, "refused": 1, "results": [
        {"id": "cafe-mug", "result": "changed", "code": null, "message": null},
        {"id": "enamel-mug", "result": "refused", "code": "unlimited_stock",
            "message": "The difference needs a limited stock: this product's stock is unlimited."}
    ]}
}"#;
