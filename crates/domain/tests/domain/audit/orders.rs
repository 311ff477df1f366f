//! Orders and the transactions of their points.

use pointbook_domain::audit::{AuditFact, Difference};
use pointbook_domain::{
    Activity, Order, OrderId, OrderStatus, OrderedProduct, Points, Price, ProductId, Quantity,
};

use super::facts::{Facts, audit, on_day, scan, user_id};

fn order(id: &str, status: OrderStatus) -> Order {
    let at = |wanted| (status == wanted).then(|| on_day(2));
    Order {
        id: OrderId::new(id).unwrap(),
        number: format!("NO-{id}"),
        user_id: user_id(0),
        product: OrderedProduct {
            id: ProductId::new("mug").unwrap(),
            sku: "mug".into(),
            title: "Mug".into(),
            price: Price::new(30).unwrap(),
        },
        quantity: Quantity::new(2).unwrap(),
        points: Points::new(60).unwrap(),
        takes_stock: true,
        status,
        created_at: on_day(1),
        fulfilled_at: at(OrderStatus::Fulfilled),
        cancelled_at: at(OrderStatus::Cancelled),
    }
}

/// A user with 100 points, this order, and these transactions of it.
fn facts(order: &Order, activities: impl IntoIterator<Item = Activity>) -> Facts {
    let award = scan("s1", 1, 100, 0);
    Facts { orders: vec![order.clone()], ..Facts::of([award].into_iter().chain(activities)) }
}

fn fault(fault: &str) -> String {
    format!("order \"o1\": {fault}")
}

const NOT_TAKEN: &str = "no transaction took its 60 points";
const NOT_GIVEN_BACK: &str = "is cancelled but no transaction gave its 60 points back";

#[test]
fn an_order_that_took_its_points_is_fine_wherever_it_stands() {
    for status in [OrderStatus::Placed, OrderStatus::Fulfilled] {
        let order = order("o1", status);
        assert_eq!(facts(&order, [order.spending()]).differences(), [""; 0]);
    }
    let order = order("o1", OrderStatus::Cancelled);
    assert_eq!(facts(&order, [order.spending(), order.refund(on_day(2))]).differences(), [""; 0]);
}

#[test]
fn orders_that_the_operator_imported_have_no_order_row() {
    let order = order("o1", OrderStatus::Placed);
    let own = [order.spending(), order.refund(on_day(2))];
    assert_eq!(Facts::of([scan("s1", 1, 100, 0)].into_iter().chain(own)).differences(), [""; 0]);
}

#[test]
fn an_order_without_its_spending_is_found() {
    let order = order("o1", OrderStatus::Placed);
    let other_type = Activity { kind: scan("s", 1, 0, 0).kind, ..order.spending() };
    assert_eq!(facts(&order, [other_type]).differences(), [fault(NOT_TAKEN)]);
}

#[test]
fn an_order_that_took_another_number_of_points_is_found() {
    let order = order("o1", OrderStatus::Fulfilled);
    let cheaper = Activity { points: Points::new(-59).unwrap(), ..order.spending() };
    let other = "costs 60 points but its transaction is of -59 points";
    assert_eq!(facts(&order, [cheaper]).differences(), [fault(other)]);
}

#[test]
fn a_cancelled_order_without_its_refund_is_found() {
    let order = order("o1", OrderStatus::Cancelled);
    assert_eq!(facts(&order, [order.spending()]).differences(), [fault(NOT_GIVEN_BACK)]);
}

#[test]
fn a_cancelled_order_that_gave_back_another_number_of_points_is_found() {
    let order = order("o1", OrderStatus::Cancelled);
    let more = Activity { points: Points::new(61).unwrap(), ..order.refund(on_day(2)) };
    let other = "is cancelled and cost 60 points but its refund is of 61 points";
    assert_eq!(facts(&order, [order.spending(), more]).differences(), [fault(other)]);
}

#[test]
fn a_refund_of_an_order_that_is_not_cancelled_is_found() {
    for status in [OrderStatus::Placed, OrderStatus::Fulfilled] {
        let order = order("o1", status);
        let found = facts(&order, [order.spending(), order.refund(on_day(2))]).differences();
        assert_eq!(found, [fault(&format!("is {status} but a transaction gave its points back"))]);
    }
}

#[test]
fn an_order_that_costs_something_else_than_its_pieces_is_found() {
    let cheap = Order { points: Points::new(50).unwrap(), ..order("o1", OrderStatus::Placed) };
    let price = "costs 50 points but its pieces come to 60";
    assert_eq!(facts(&cheap, [cheap.spending()]).differences(), [fault(price)]);
}

type Change = fn(Activity) -> Activity;

#[test]
fn a_spending_or_a_refund_that_says_something_else_is_found() {
    let order = order("o1", OrderStatus::Cancelled);
    let others: [(&str, Change); 4] = [
        ("another title", |right| Activity { title: "x".into(), ..right }),
        ("another number", |right| Activity { subtitle: "x".into(), ..right }),
        ("another time", |right| Activity { created_at: on_day(3), ..right }),
        ("bonuses", |right| Activity {
            points: Points::new(right.points.get() - 5).unwrap(),
            bonuses: scan("s", 1, 0, 5).bonuses,
            ..right
        }),
    ];
    for (field, other) in others {
        let (spending, refund) = (order.spending(), order.refund(on_day(2)));
        let found = facts(&order, [other(spending.clone()), refund.clone()]).differences();
        assert_eq!(found, [fault(&format!("the transaction that took its points has {field}"))]);
        let found = facts(&order, [spending, other(refund)]).differences();
        assert_eq!(found, [fault(&format!("its refund has {field}"))]);
    }
}

/// An import may leave a debt, and what costs nothing is given to debtors.
#[test]
fn only_an_order_that_costs_points_leaves_no_debt() {
    let debt = scan("s0", 1, -150, 0);
    let dear = order("o1", OrderStatus::Placed);
    let found = facts(&dear, [debt.clone(), dear.spending()]).differences();
    assert_eq!(found, [fault("the transaction that took its points left -110")]);
    let product = OrderedProduct { price: Price::new(0).unwrap(), ..dear.product };
    let gift = Order { product, points: Points::ZERO, ..order("o1", OrderStatus::Placed) };
    assert_eq!(facts(&gift, [debt, gift.spending()]).differences(), [""; 0]);
}

#[test]
fn an_order_without_its_product_is_found() {
    let order = order("o1", OrderStatus::Placed);
    let mut facts = facts(&order, [order.spending()]).in_order();
    let missing = AuditFact::ProductMissing { order: order.id, product: order.product.id };
    let first_row = facts.iter().position(|fact| matches!(fact, AuditFact::Row(_))).unwrap();
    facts.insert(first_row, missing);
    let audited = audit([facts]);
    let what = fault("its product \"mug\" is not stored");
    assert_eq!(audited[0].differences, [Difference { user_id: user_id(0), what }]);
}

#[test]
fn an_order_of_a_user_who_is_not_stored_is_found() {
    let order = order("o1", OrderStatus::Placed);
    let facts = Facts { user: None, orders: vec![order], ..Facts::of([]) };
    assert_eq!(facts.differences(), ["has history but is not stored".to_owned(), fault(NOT_TAKEN)]);
}

#[test]
fn an_order_is_told_by_its_id() {
    let difference = Difference { user_id: user_id(0), what: fault(NOT_GIVEN_BACK) };
    let text = "user \"u000\": order \"o1\": is cancelled but no transaction gave its 60 points back";
    assert_eq!(difference.to_string(), text);
}
