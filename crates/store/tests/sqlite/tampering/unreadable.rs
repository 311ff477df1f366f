//! Invalid values. They do not end the audit, which uses the other values of their rows.

use super::victim::{EARNED, HASH, found, row, second_row};

const TOO_MUCH: &str = "must be between -9007199254740991 and 9007199254740991";

/// The findings after `field` was set in the second row of u1.
async fn found_with(field: &str) -> Vec<String> {
    found(&format!("UPDATE transactions SET {field} WHERE source_id = 's2'")).await
}

fn unreadable(column: &str, why: &str) -> String {
    format!("cannot be read: table transactions, key (\"u1\", 2), column {column}: {why}")
}

#[tokio::test]
async fn an_invalid_breakdown() {
    for breakdown in ["", "x", "[{}]", r#"[{"type":"a","points":-7,"title":"b"}]"#] {
        let found = found_with(&format!("bonus_breakdown = '{breakdown}'")).await;
        let beginning = second_row() + &unreadable("bonus_breakdown", "");
        assert!(found.len() == 1 && found[0].starts_with(&beginning), "{found:?}");
    }
}

#[tokio::test]
async fn an_invalid_type() {
    let why = unreadable("type", "must have 1 to 32 characters of a-z, 0-9, _ and -");
    let earned = format!("{EARNED} \"code:2\"");
    assert_eq!(found_with("type = 'Co de'").await, [earned, row(2, "Co de", "s2", "u1/code/s2") + &why]);
}

#[tokio::test]
async fn a_time_out_of_range() {
    let why = unreadable("created_at", "a time outside the years 1 to 9999");
    assert_eq!(found_with("created_at = 9223372036854775807").await, [second_row() + &why]);
}

#[tokio::test]
async fn points_out_of_range() {
    let balance = "user \"u1\": balance is 832 but the transactions come to 9223372036854776619".to_owned();
    let sum = "balance after it is 1027 but should be 9223372036854776814";
    let faults = format!("{}; {sum}", unreadable("points", TOO_MUCH));
    assert_eq!(found_with("points = 9223372036854775807").await, [balance, second_row() + &faults]);
}

#[tokio::test]
async fn a_balance_out_of_range() {
    let why = unreadable("balance_after", TOO_MUCH);
    let second = format!("{why}; balance after it is -9223372036854775808 but should be 1027");
    let third = "balance after it is 827 but should be -9223372036854776008";
    let found = found_with("balance_after = -9223372036854775808").await;
    assert_eq!(found, [second_row() + &second, row(3, "order", "o1", "o1/spending") + third]);
}

#[tokio::test]
async fn a_hash_of_wrong_length() {
    let third = row(3, "order", "o1", "o1/spending") + HASH;
    assert_eq!(found_with("hash = zeroblob(3)").await, [second_row() + HASH, third]);
}

#[tokio::test]
async fn an_order_with_invalid_status() {
    let change = "UPDATE orders SET status = 'lost' WHERE id = 'o2'";
    let found = found(change).await;
    let place = "table orders, key (\"o2\"), column status";
    let why = format!("user \"u1\": cannot be read: {place}: must be placed, fulfilled or cancelled");
    assert_eq!(found[0], why);
    assert_eq!(found[1..], ["product \"mug\": stock is 8 but 10 were supplied and orders took 3"]);
}
