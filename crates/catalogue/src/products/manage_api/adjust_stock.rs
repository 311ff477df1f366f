//! `POST /v1/manage/products/{productId}/stock`: adds pieces to a stock, or removes them.

use http::StatusCode;
use pointbook_domain::ProductId;
use pointbook_http::answer::finish;
use pointbook_http::body::{JsonBody, schema_of};
use pointbook_http::describe::{BodyDoc, Operation};
use pointbook_http::documentation::Tag;
use pointbook_http::kernel::Response;
use pointbook_http::precondition::product_condition;
use pointbook_http::views::success::Success;
use pointbook_http::{Answer, ApiError, ApiRequest, path_id};
use pointbook_store::ports::ProductEditOutcome;

use super::edited::stored;
use crate::products::edit::add_stock;
use crate::products::managed::{ManagedProductView, read_stock_change};

/// Changes the stock by a difference, so that pieces of orders placed meanwhile do not count twice.
pub(super) async fn adjust_stock(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let body = JsonBody::of(&request).await?;
    let difference = read_stock_change(body.fields())?;
    let id = path_id(request.params, "productId", ProductId::new)?;
    let condition = product_condition(request.headers);
    let context = request.once(body.key, render);
    finish(add_stock(&context, id, difference, condition).await?, render)
}

fn render(outcome: &ProductEditOutcome) -> Answer {
    match stored(outcome.clone()) {
        Ok((_, stored)) => Answer::json(StatusCode::OK, &Success::of(ManagedProductView::from(&*stored))),
        Err(error) => error.into(),
    }
}

pub(super) fn documentation() -> Operation {
    Operation::ours("adjustStock", Tag::Management, "Change the stock of a product by a difference")
        .describe(
            "Adds pieces to the stock or removes pieces, even while orders change it. If the stock is unlimited or \
             would fall below 0, the response is a 422 on `difference`.",
        )
        .defining("StockChange", || schema_of(read_stock_change))
        .reading(BodyDoc::Json("StockChange", r#"{"difference": 20}"#))
        .conditional()
        .shows::<ManagedProductView<'_>>("The product with its new stock.")
}
