//! `POST /v1/store/orders`: points for pieces of a product.

use http::StatusCode;
use pointbook_domain::order::MAX_ORDER_QUANTITY;
use pointbook_domain::{ProductId, Quantity};
use pointbook_http::answer::finish;
use pointbook_http::answer::refusals::order_refused;
use pointbook_http::body::{BodyFields, JsonBody, Reader, id, integer, schema_of};
use pointbook_http::describe::{BodyDoc, Operation};
use pointbook_http::documentation::Tag;
use pointbook_http::error::FieldErrors;
use pointbook_http::kernel::Response;
use pointbook_http::views::success::Success;
use pointbook_http::{Answer, ApiError, ApiRequest};
use pointbook_store::ports::PlaceOrderOutcome;

use crate::orders::place::place_order;
use crate::orders::view::OrderView;

/// Takes points and pieces at the present price, or nothing.
pub(super) async fn place(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let body = JsonBody::of(&request).await?;
    let (product_id, quantity) = read_order(body.fields())?;
    let context = request.once(body.key, render);
    finish(place_order(&context, product_id, quantity).await?, render)
}

fn read_order(mut fields: BodyFields<'_>) -> Result<(ProductId, Quantity), FieldErrors> {
    let product_id = fields.required("product_id", id(ProductId::new));
    let pieces = integer(1..=i64::from(MAX_ORDER_QUANTITY), Quantity::new).about("Pieces. Default: 1.");
    let quantity = fields.optional("quantity", pieces);
    fields.finish(|| Some((product_id?, quantity.unwrap_or(Quantity::ONE))))
}

fn render(outcome: &PlaceOrderOutcome) -> Answer {
    match outcome {
        PlaceOrderOutcome::Placed(written) => {
            let order = OrderView::from(&written.order);
            Answer::json(StatusCode::CREATED, &Success::with_points(order, written.user_points))
        }
        PlaceOrderOutcome::Refused(refusal) => ApiError::Invalid(order_refused(*refusal)).into(),
    }
}

pub(super) fn documentation() -> Operation {
    Operation::ours("placeOrder", Tag::Store, "Place an order")
        .describe(
            "Places an order at the present price. The order takes the points and the pieces together, or neither. Too \
             few points, a sold-out product and an unknown product get a 422 on `product_id`. More pieces than the \
             stock has get a 422 on `quantity`. A response may get lost, so send an `Idempotency-Key` with each order.",
        )
        .defining("NewOrder", || schema_of(read_order))
        .reading(BodyDoc::Json("NewOrder", r#"{"product_id": "cafe-mug", "quantity": 1}"#))
        .success_with_points::<OrderView<'_>>(StatusCode::CREATED, "The order, and the balance after it.", EXAMPLE)
}

const EXAMPLE: &str = include_str!("place.json");

#[cfg(test)]
mod tests {
    use pointbook_domain::OrderRefusal;
    use pointbook_testkit::read_text;

    use super::*;

    fn read(text: &str) -> Result<(String, u32), String> {
        let read = read_text(text, read_order).map(|(id, quantity)| (id.to_string(), quantity.get()));
        read.map_err(|errors| serde_json::to_string(&errors).unwrap())
    }

    #[test]
    fn an_order_is_for_one_piece_unless_it_says_how_many() {
        for text in [r#"{"product_id":"mug"}"#, r#"{"product_id":"mug","quantity":null}"#] {
            assert_eq!(read(text), Ok(("mug".to_owned(), 1)));
        }
        assert_eq!(read(r#"{"quantity":1000,"product_id":"a b"}"#), Ok(("a b".to_owned(), 1_000)));
    }

    #[test]
    fn every_bad_field_is_reported_at_once_and_in_order() {
        assert_eq!(
            read(r#"{"points":0,"quantity":1001}"#).unwrap_err(),
            r#"{"product_id":["The product id field is required."],"quantity":["The quantity must be between 1 and 1000."],"points":["The points field is not known."]}"#
        );
        for bad in ["1.0", "1e3", "\"1\"", "true"] {
            assert_eq!(
                read(&format!(r#"{{"product_id":7,"quantity":{bad}}}"#)).unwrap_err(),
                r#"{"product_id":["The product id must be a string."],"quantity":["The quantity must be an integer."]}"#
            );
        }
    }

    #[test]
    fn a_refusal_names_its_field() {
        let told = |refusal| serde_json::to_string(&order_refused(refusal)).unwrap();
        for (refusal, expected) in [
            (OrderRefusal::UnknownProduct, r#"{"product_id":["The selected product id is invalid."]}"#),
            (OrderRefusal::SoldOut, r#"{"product_id":["The selected product is sold out."]}"#),
            (OrderRefusal::NotEnoughStock, r#"{"quantity":["The quantity is more than what is in stock."]}"#),
            (
                OrderRefusal::OutOfRange,
                r#"{"quantity":["The quantity makes the price exceed 9007199254740991 points."]}"#,
            ),
            (OrderRefusal::TooFewPoints, r#"{"product_id":["The points are not enough for this order."]}"#),
        ] {
            assert_eq!(told(refusal), expected);
        }
    }
}
