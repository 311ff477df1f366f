//! An order for its user and for the back office.

use pointbook_domain::order::{MAX_ORDER_ID_CHARS, MAX_ORDER_QUANTITY};
use pointbook_domain::{Order, OrderStatus, OrderedProduct};
use pointbook_http::describe::{Field, Schema, required};
use pointbook_http::views::values::DateTimeView;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct OrderView<'o> {
    id: &'o str,
    number: &'o str,
    status: &'static str,
    product: OrderedProductView<'o>,
    quantity: u32,
    points: i64,
    created_at: DateTimeView,
    fulfilled_at: Option<DateTimeView>,
    cancelled_at: Option<DateTimeView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_id: Option<&'o str>,
}

#[derive(Debug, Serialize)]
struct OrderedProductView<'o> {
    id: &'o str,
    sku: &'o str,
    title: &'o str,
}

impl<'o> OrderView<'o> {
    /// The order for its user, without the user's id.
    pub fn for_customer(order: &'o Order) -> Self {
        Self { user_id: None, ..Self::for_back_office(order) }
    }

    /// The same with the user's id.
    pub fn for_back_office(order: &'o Order) -> Self {
        let Order {
            id,
            number,
            user_id,
            product,
            quantity,
            points,
            takes_stock: _,
            status,
            created_at,
            fulfilled_at,
            cancelled_at,
        } = order;
        Self {
            id: id.as_str(),
            number,
            status: status.as_str(),
            product: OrderedProductView::from(product),
            quantity: quantity.get(),
            points: points.get(),
            created_at: DateTimeView(*created_at),
            fulfilled_at: fulfilled_at.map(DateTimeView),
            cancelled_at: cancelled_at.map(DateTimeView),
            user_id: Some(user_id.as_str()),
        }
    }
}

impl<'o> From<&'o OrderedProduct> for OrderedProductView<'o> {
    fn from(product: &'o OrderedProduct) -> Self {
        let OrderedProduct { id, sku, title, price: _ } = product;
        Self { id: id.as_str(), sku, title }
    }
}

/// The schema of an order for its user.
pub fn order_schema() -> Schema {
    Schema::object(fields())
}

/// The schema of an order for the back office.
pub fn managed_order_schema() -> Schema {
    Schema::object(fields().into_iter().chain([required("user_id", Schema::id())]))
}

/// The members of an ordered product.
pub fn ordered_product_schema() -> Schema {
    Schema::object([
        required("id", Schema::id()),
        required("sku", Schema::text()),
        required("title", Schema::text()),
    ])
    .describe("The product at the time of the order.")
}

fn fields() -> [Field; 9] {
    let quantity = Schema::integer(1..=i64::from(MAX_ORDER_QUANTITY)).describe("Pieces.");
    let since = |what: &str| Schema::date_time().or_null().describe(&format!("Null unless it was {what}."));
    [
        required("id", Schema::title_to(MAX_ORDER_ID_CHARS)),
        required("number", Schema::text().describe("The order number for people.")),
        required("status", Schema::one_of(OrderStatus::ALL.map(OrderStatus::as_str))),
        required("product", Schema::named("OrderedProduct")),
        required("quantity", quantity),
        required("points", Schema::price().describe("The total price in points.")),
        required("created_at", Schema::date_time()),
        required("fulfilled_at", since("fulfilled")),
        required("cancelled_at", since("cancelled")),
    ]
}

#[cfg(test)]
mod tests {
    use pointbook_domain::{OrderId, OrderStatus, Points, Price, ProductId, Quantity, Timestamp, UserId};

    use super::*;

    fn order() -> Order {
        let at = |seconds: i64| Timestamp::from_micros(seconds * 1_000_000).unwrap();
        Order {
            id: OrderId::new("o-1").unwrap(),
            number: "A1B2".to_owned(),
            user_id: UserId::new("u1").unwrap(),
            product: OrderedProduct {
                id: ProductId::new("mug").unwrap(),
                sku: "M-1".to_owned(),
                title: "Mug".to_owned(),
                price: Price::new(250).unwrap(),
            },
            quantity: Quantity::new(2).unwrap(),
            points: Points::new(500).unwrap(),
            takes_stock: true,
            status: OrderStatus::Cancelled,
            created_at: at(0),
            fulfilled_at: None,
            cancelled_at: Some(at(60)),
        }
    }

    const SEEN: &str = r#"{"id":"o-1","number":"A1B2","status":"cancelled","product":{"id":"mug","sku":"M-1","title":"Mug"},"quantity":2,"points":500,"created_at":"1970-01-01T00:00:00.000000Z","fulfilled_at":null,"cancelled_at":"1970-01-01T00:01:00.000000Z""#;

    #[test]
    fn an_order_costs_a_positive_amount_and_what_has_not_happened_is_null() {
        let seen = serde_json::to_string(&OrderView::for_customer(&order())).unwrap();
        assert_eq!(seen, format!("{SEEN}}}"));
    }

    #[test]
    fn the_back_office_sees_whose_order_it_is() {
        let seen = serde_json::to_string(&OrderView::for_back_office(&order())).unwrap();
        assert_eq!(seen, format!(r#"{SEEN},"user_id":"u1"}}"#));
    }
}
