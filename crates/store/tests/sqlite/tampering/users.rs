//! Changed rows of users and days.

use super::victim::found;

#[tokio::test]
async fn a_changed_balance() {
    let change = "UPDATE users SET balance = balance + 1 WHERE id = 'u1'";
    assert_eq!(found(change).await, ["user \"u1\": balance is 833 but the transactions come to 832"]);
}

#[tokio::test]
async fn a_changed_number_of_days() {
    let change = "UPDATE users SET day_count = 3 WHERE id = 'u1'";
    assert_eq!(found(change).await, ["user \"u1\": day count is 3 but the transactions fall on 2 days"]);
}

#[tokio::test]
async fn a_changed_newest_row() {
    let change = "UPDATE users SET last_seq = 9 WHERE id = 'u1'";
    assert_eq!(found(change).await, ["user \"u1\": newest transaction is said to be 9 but is 6"]);
    for hash in ["zeroblob(32)", "zeroblob(31)"] {
        let change = format!("UPDATE users SET last_hash = {hash} WHERE id = 'u1'");
        let last_hash = "user \"u1\": the stored last hash is not that of the newest transaction";
        assert_eq!(found(&change).await, [last_hash]);
    }
}

#[tokio::test]
async fn a_removed_user() {
    let change = "DELETE FROM users WHERE id = 'u1'";
    assert_eq!(found(change).await, ["user \"u1\": has history but is not stored"]);
}
