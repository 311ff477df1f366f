//! Changed lots.

use pointbook_points::members::read::EndPoints;
use pointbook_testkit::build;
use pointbook_testkit::conformance::{add_tenant, expiry_terms};
use pointbook_testkit::sqlite::new_file;
use rusqlite::Connection;

use super::victim::{HASH, audits, fill, found, row};

/// The findings after a statement that changes one row of a user whose lots began after the first of three rows.
async fn found_in_lots(change: &str) -> Vec<String> {
    let (_folder, path, database) = new_file();
    let data = add_tenant(&database, "acme").await;
    fill(&data).await;
    let terms = expiry_terms(&[("points_expire", "year-end:1")]);
    let users = ["u1", "u2"].map(build::user_id).to_vec();
    data.write(EndPoints { users, terms: terms.clone(), at: build::noon() }).await.unwrap();
    let late = build::history([build::recorded("u1", build::activity("s4", 5))]).ending(terms);
    data.write(late).await.unwrap();
    assert_eq!(audits(&*data).await, [""; 0]);
    assert_eq!(Connection::open(path).unwrap().execute(change, []).unwrap(), 1);
    audits(&*data).await
}

#[tokio::test]
async fn changed_lots() {
    let change = "UPDATE users SET lots = '2025-12-31:836' WHERE id = 'u1'";
    let lots = "user \"u1\": lots are 2025-12-31:836 but what was moved comes to 2025-12-31:837";
    assert_eq!(
        found_in_lots(change).await,
        [lots, "user \"u1\": lots come to 836 but the transactions to 837"]
    );
}

#[tokio::test]
async fn changed_moves() {
    let moved = "UPDATE transactions SET moves = '2026-12-31:5' WHERE seq = 7 AND user_id = 'u1'";
    let lots = "user \"u1\": lots are 2025-12-31:837 but what was moved comes to 2025-12-31:832,2026-12-31:5";
    let row = row(7, "code", "s4", "u1/code/s4");
    assert_eq!(found_in_lots(moved).await, [lots.to_owned(), format!("{row}{HASH}")]);
    let unreadable =
        found_in_lots("UPDATE transactions SET moves = 'x' WHERE seq = 7 AND user_id = 'u1'").await;
    assert!(unreadable.iter().any(|found| found.contains("not a list of days and points")), "{unreadable:?}");
}

#[tokio::test]
async fn changed_beginning_of_lots() {
    let found = found_in_lots("UPDATE lot_changes SET moves = '2025-12-31:2' WHERE user_id = 'u2'").await;
    assert_eq!(found, ["user \"u2\": lots are 2025-12-31:1 but what was moved comes to 2025-12-31:2"]);
    let unreadable = found_in_lots("UPDATE lot_changes SET moves = 'x' WHERE user_id = 'u2'").await;
    assert!(unreadable.iter().any(|found| found.contains("lot_changes")), "{unreadable:?}");
}

#[tokio::test]
async fn lots_of_nowhere() {
    let lots = found("UPDATE users SET lots = '', next_expiry_on = 2932896 WHERE id = 'u2'").await;
    assert_eq!(lots, ["user \"u2\": lots come to 0 but the transactions to 1"]);
}
