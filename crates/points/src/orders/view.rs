//! An order for its user and for the back office.

use pointbook_domain::order::{MAX_ORDER_ID_CHARS, MAX_ORDER_QUANTITY};
use pointbook_domain::{Order, OrderStatus, OrderedProduct};
use pointbook_http::describe::{Sample, Schema};
use pointbook_http::view;
use pointbook_http::views::values::DateTimeView;

view! {
    /// An order for its user.
    #[derive(Debug)]
    pub struct OrderView<'o> as "Order" {
        id: &'o str => Schema::title_to(MAX_ORDER_ID_CHARS),
        /// The order number for people.
        number: &'o str,
        status: &'static str => Schema::one_of(OrderStatus::ALL.map(OrderStatus::as_str)),
        /// The product at the time of the order.
        product: OrderedProductView<'o>,
        /// Pieces.
        quantity: u32 => Schema::integer(1..=i64::from(MAX_ORDER_QUANTITY)),
        /// The total price in points.
        points: i64 => Schema::price(),
        created_at: DateTimeView,
        /// Null unless it was fulfilled.
        fulfilled_at: Option<DateTimeView>,
        /// Null unless it was cancelled.
        cancelled_at: Option<DateTimeView>,
    }

    /// The same with its user, for the back office.
    #[derive(Debug)]
    pub struct ManagedOrderView<'o> as "ManagedOrder" {
        #[serde(flatten)]
        order: OrderView<'o>,
        user_id: &'o str => Schema::id(),
    }

    #[derive(Debug)]
    pub struct OrderedProductView<'o> as "OrderedProduct" {
        id: &'o str => Schema::id(),
        sku: &'o str,
        title: &'o str,
    }
}

impl Sample for OrderView<'_> {
    const SAMPLE: &'static str = include_str!("order.json");
}

impl<'o> From<&'o Order> for OrderView<'o> {
    fn from(order: &'o Order) -> Self {
        let Order { id, number, user_id: _, product, quantity, points, takes_stock: _, status, .. } = order;
        let Order { created_at, fulfilled_at, cancelled_at, .. } = order;
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
        }
    }
}

impl Sample for ManagedOrderView<'_> {
    const SAMPLE: &'static str = include_str!("managed_order.json");
}

impl<'o> From<&'o Order> for ManagedOrderView<'o> {
    fn from(order: &'o Order) -> Self {
        Self { order: order.into(), user_id: order.user_id.as_str() }
    }
}

impl<'o> From<&'o OrderedProduct> for OrderedProductView<'o> {
    fn from(product: &'o OrderedProduct) -> Self {
        let OrderedProduct { id, sku, title, price: _ } = product;
        Self { id: id.as_str(), sku, title }
    }
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
        let seen = serde_json::to_string(&OrderView::from(&order())).unwrap();
        assert_eq!(seen, format!("{SEEN}}}"));
    }

    #[test]
    fn the_back_office_sees_whose_order_it_is() {
        let seen = serde_json::to_string(&ManagedOrderView::from(&order())).unwrap();
        assert_eq!(seen, format!(r#"{SEEN},"user_id":"u1"}}"#));
    }
}
