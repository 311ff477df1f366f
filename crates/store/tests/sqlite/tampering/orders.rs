//! Changed orders and their transactions.

use super::victim::{HASH, found, row};

const MUG: &str = "product \"mug\": ";

#[tokio::test]
async fn an_order_of_another_price() {
    let change = "UPDATE orders SET points = 201 WHERE id = 'o1'";
    let pieces = "user \"u1\": order \"o1\": costs 201 points but its pieces come to 200";
    let taken = "user \"u1\": order \"o1\": costs 201 points but its transaction is of -200 points";
    assert_eq!(found(change).await, [pieces, taken]);
}

#[tokio::test]
async fn an_order_of_another_user() {
    let change = "UPDATE orders SET user_id = 'u2' WHERE id = 'o1'";
    assert_eq!(found(change).await, ["user \"u2\": order \"o1\": no transaction took its 200 points"]);
}

#[tokio::test]
async fn a_spending_under_another_source() {
    let change = "UPDATE transactions SET source_id = 'x' WHERE source_id = 'o1'";
    let order = "user \"u1\": order \"o1\": no transaction took its 200 points".to_owned();
    assert_eq!(found(change).await, [order, row(3, "order", "x", "o1/spending") + HASH]);
}

#[tokio::test]
async fn a_spending_of_another_amount() {
    let change = "UPDATE transactions SET points = -100 WHERE source_id = 'o1'";
    let balance = "user \"u1\": balance is 832 but the transactions come to 932".to_owned();
    let order =
        "user \"u1\": order \"o1\": costs 200 points but its transaction is of -100 points".to_owned();
    let faults = format!("balance after it is 827 but should be 927; {HASH}");
    let row = row(3, "order", "o1", "o1/spending") + &faults;
    assert_eq!(found(change).await, [balance, order, row]);
}

#[tokio::test]
async fn a_cancelled_order_without_its_refund() {
    let change = "UPDATE transactions SET source_id = 'x' WHERE source_id = 'o2:refund'";
    let order =
        "user \"u1\": order \"o2\": is cancelled but no transaction gave its 100 points back".to_owned();
    assert_eq!(found(change).await, [order, row(5, "order", "x", "o2/refund") + HASH]);
}

#[tokio::test]
async fn a_refund_of_another_amount() {
    let change = "UPDATE transactions SET points = 99 WHERE source_id = 'o2:refund'";
    let balance = "user \"u1\": balance is 832 but the transactions come to 831".to_owned();
    let refund = "is cancelled and cost 100 points but its refund is of 99 points";
    let faults = format!("balance after it is 827 but should be 826; {HASH}");
    let row = row(5, "order", "o2:refund", "o2/refund") + &faults;
    assert_eq!(found(change).await, [balance, format!("user \"u1\": order \"o2\": {refund}"), row]);
}

/// The stock shows the change too.
#[tokio::test]
async fn an_order_that_was_cancelled_by_hand() {
    let change = "UPDATE orders SET status = 'cancelled', cancelled_at = 1 WHERE id = 'o1'";
    let order =
        "user \"u1\": order \"o1\": is cancelled but no transaction gave its 200 points back".to_owned();
    let stock = format!("{MUG}stock is 8 but 10 were supplied and orders took 0");
    let reserved = format!("{MUG}2 pieces are reserved but the placed orders hold 0");
    assert_eq!(found(change).await, [order, stock, reserved]);
}

#[tokio::test]
async fn a_cancelled_order_that_was_set_to_placed_by_hand() {
    let change = "UPDATE orders SET status = 'placed', cancelled_at = NULL WHERE id = 'o2'";
    let order = "user \"u1\": order \"o2\": is placed but a transaction gave its points back".to_owned();
    let stock = format!("{MUG}stock is 8 but 10 were supplied and orders took 3");
    let reserved = format!("{MUG}2 pieces are reserved but the placed orders hold 3");
    assert_eq!(found(change).await, [order, stock, reserved]);
}

#[tokio::test]
async fn an_order_that_was_fulfilled_by_hand() {
    let change = "UPDATE orders SET status = 'fulfilled', fulfilled_at = 1 WHERE id = 'o1'";
    assert_eq!(found(change).await, [format!("{MUG}2 pieces are reserved but the placed orders hold 0")]);
}

/// The transaction is unchanged, so only price and stock show the change.
#[tokio::test]
async fn an_order_of_another_quantity() {
    let change = "UPDATE orders SET quantity = 3 WHERE id = 'o1'";
    let pieces = "user \"u1\": order \"o1\": costs 200 points but its pieces come to 300".to_owned();
    let stock = format!("{MUG}stock is 8 but 10 were supplied and orders took 3");
    let reserved = format!("{MUG}2 pieces are reserved but the placed orders hold 3");
    assert_eq!(found(change).await, [pieces, stock, reserved]);
}

/// The history has the title, number and time of the placing and the cancelling.
#[tokio::test]
async fn an_order_with_changed_title_number_or_time() {
    let spending = "the transaction that took its points has another";
    for (field, shown) in [("product_title", "title"), ("number", "number")] {
        let order = |id: &str, fault: &str| format!("user \"u1\": order {id:?}: {fault} {shown}");
        let change = format!("UPDATE orders SET {field} = 'x' WHERE id = 'o1'");
        assert_eq!(found(&change).await, [order("o1", spending)]);
        let change = format!("UPDATE orders SET {field} = 'x' WHERE id = 'o2'");
        assert_eq!(found(&change).await, [order("o2", spending), order("o2", "its refund has another")]);
    }
    let change = "UPDATE orders SET created_at = created_at + 1 WHERE id = 'o2'";
    assert_eq!(found(change).await, [format!("user \"u1\": order \"o2\": {spending} time")]);
    let change = "UPDATE orders SET cancelled_at = cancelled_at + 1 WHERE id = 'o2'";
    assert_eq!(found(change).await, ["user \"u1\": order \"o2\": its refund has another time"]);
}

/// The points of the row and its bonuses add up to the price of the order.
#[tokio::test]
async fn a_spending_with_bonuses() {
    let bonus = r#"[{"type":"a","points":50,"title":"b"}]"#;
    let change = format!(
        "UPDATE transactions SET points = -250, bonus_points = 50, bonus_breakdown = '{bonus}'
         WHERE source_id = 'o1'"
    );
    let order = "user \"u1\": order \"o1\": the transaction that took its points has bonuses".to_owned();
    assert_eq!(found(&change).await, [order, row(3, "order", "o1", "o1/spending") + HASH]);
}

#[tokio::test]
async fn an_order_that_made_the_balance_negative() {
    let overdrawn = "user \"u1\": order \"o1\": the transaction that took its points left -1";
    let change = "UPDATE transactions SET balance_after = -1 WHERE source_id = 'o1'";
    let found = found(change).await;
    assert_eq!(found[0], overdrawn, "{found:?}");
    assert_eq!(found.len(), 3, "{found:?}");
}

#[tokio::test]
async fn an_order_whose_product_was_removed() {
    let missing = |id: &str| format!("user \"u1\": order {id:?}: its product \"mug\" is not stored");
    assert_eq!(found("DELETE FROM products WHERE id = 'mug'").await, [missing("o1"), missing("o2")]);
}

/// Without the order, its transaction looks like one of the back office. Only the stock shows the change.
#[tokio::test]
async fn a_removed_order() {
    let change = "DELETE FROM orders WHERE id = 'o1'";
    let stock = format!("{MUG}stock is 8 but 10 were supplied and orders took 0");
    let reserved = format!("{MUG}2 pieces are reserved but the placed orders hold 0");
    assert_eq!(found(change).await, [stock, reserved]);
}
