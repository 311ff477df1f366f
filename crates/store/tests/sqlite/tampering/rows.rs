//! Changed rows of the ledger.

use rusqlite::Connection;

use super::victim::{EARNED, HASH, found, found_after, row, second_row};

const BALANCE: &str = "user \"u1\": balance is 832 but the transactions come to";

/// The API shows the sum of the breakdown.
#[tokio::test]
async fn a_changed_breakdown() {
    let change = "UPDATE transactions SET bonus_breakdown = json_set(bonus_breakdown, '$[0].points', 30)
                  WHERE source_id = 's2'";
    let balance = "balance after it is 1027 but should be 1054";
    let faults = format!("has 7 bonus points but its breakdown comes to 34; {balance}; {HASH}");
    assert_eq!(found(change).await, [format!("{BALANCE} 859"), second_row() + &faults]);
}

#[tokio::test]
async fn a_changed_sum_of_bonuses() {
    let change = "UPDATE transactions SET bonus_points = 8 WHERE source_id = 's2'";
    let fault = "has 8 bonus points but its breakdown comes to 7";
    assert_eq!(found(change).await, [second_row() + fault]);
}

#[tokio::test]
async fn changed_points() {
    let change = "UPDATE transactions SET points = 21 WHERE source_id = 's2'";
    let faults = format!("balance after it is 1027 but should be 1028; {HASH}");
    assert_eq!(found(change).await, [format!("{BALANCE} 833"), second_row() + &faults]);
}

/// Only the hash protects these fields.
#[tokio::test]
async fn a_changed_string_or_time() {
    for field in ["title = 'x'", "subtitle = 'x'", "recorded_at = 1", "created_at = created_at + 1"] {
        let change = format!("UPDATE transactions SET {field} WHERE source_id = 's2'");
        assert_eq!(found(&change).await, [second_row() + HASH], "{field}");
    }
    let change = "UPDATE transactions SET type = 'quiz' WHERE source_id = 's2'";
    let earned = format!("{EARNED} \"code:2,quiz:1\"");
    assert_eq!(found(change).await, [earned, row(2, "quiz", "s2", "u1/code/s2") + HASH]);
    let change = "UPDATE transactions SET id = x'ff78' WHERE source_id = 's2'";
    assert_eq!(found(change).await, [row(2, "code", "s2", "x") + HASH]);
}

/// The check of the next row starts from the stored balance.
#[tokio::test]
async fn a_changed_balance_of_a_row() {
    let change = "UPDATE transactions SET balance_after = 1028 WHERE source_id = 's2'";
    let second = format!("balance after it is 1028 but should be 1027; {HASH}");
    let third = row(3, "order", "o1", "o1/spending") + "balance after it is 827 but should be 828";
    assert_eq!(found(change).await, [second_row() + &second, third]);
}

#[tokio::test]
async fn a_replaced_hash() {
    let change = "UPDATE transactions SET hash = zeroblob(32) WHERE source_id = 's2'";
    let third = row(3, "order", "o1", "o1/spending") + HASH;
    assert_eq!(found(change).await, [second_row() + HASH, third]);
    let change = "UPDATE transactions SET hash = zeroblob(32) WHERE source_id = 's3'";
    let user = "user \"u1\": the stored last hash is not that of the newest transaction".to_owned();
    assert_eq!(found(change).await, [user, row(6, "code", "s3", "u1/code/s3") + HASH]);
}

#[tokio::test]
async fn a_removed_row() {
    let change = "DELETE FROM transactions WHERE source_id = 's2'";
    let gap = row(3, "order", "o1", "o1/spending") + "stands where 2 should";
    assert_eq!(found(change).await, [format!("{BALANCE} 805"), format!("{EARNED} \"code:2\""), gap]);
}

#[tokio::test]
async fn the_newest_row_removed() {
    let change = "DELETE FROM transactions WHERE source_id = 's3'";
    let newest = "user \"u1\": newest transaction is said to be 6 but is 5".to_owned();
    assert_eq!(found(change).await, [format!("{BALANCE} 827"), newest, format!("{EARNED} \"code:2\"")]);
}

#[tokio::test]
async fn a_row_with_another_seq() {
    let change = "UPDATE transactions SET seq = 60 WHERE source_id = 's3'";
    let newest = "user \"u1\": newest transaction is said to be 6 but is 60".to_owned();
    let gap = row(60, "code", "s3", "u1/code/s3") + "stands where 6 should";
    assert_eq!(found(change).await, [newest, gap]);
}

/// Rebuilds the table without its unique key.
fn without_unique_key(database: &Connection) {
    let sql = "SELECT sql FROM sqlite_schema WHERE name = 'transactions'";
    let table: String = database.query_row(sql, [], |row| row.get(0)).unwrap();
    let loose = table.replace("UNIQUE (tenant_id, user_id, type, source_id),", "");
    assert_eq!(loose.matches("UNIQUE").count(), 0);
    let loose = loose.replace("transactions", "loose");
    database
        .execute_batch(&format!(
            "{loose}; INSERT INTO loose SELECT * FROM transactions; DROP TABLE transactions;
             ALTER TABLE loose RENAME TO transactions"
        ))
        .unwrap();
}

#[tokio::test]
async fn a_repeated_type_and_source_id() {
    let change = "UPDATE transactions SET source_id = 's2' WHERE source_id = 's3'";
    let found = found_after(|database| {
        without_unique_key(database);
        assert_eq!(database.execute(change, []).unwrap(), 1);
    });
    let faults = format!("{HASH}; has the type and source id of transaction 2");
    assert_eq!(found.await, [row(6, "code", "s2", "u1/code/s3") + &faults]);
}

#[tokio::test]
async fn a_repeated_seq() {
    let change = "UPDATE transactions SET seq = 5 WHERE source_id = 's3'";
    let newest = "user \"u1\": newest transaction is said to be 6 but is 5".to_owned();
    let repeat = row(5, "code", "s3", "u1/code/s3") + "stands where 6 should";
    assert_eq!(found(change).await, [newest, repeat]);
}
