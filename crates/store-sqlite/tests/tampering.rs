//! The audit finds what was changed behind the service's back.
#![expect(clippy::unwrap_used, reason = "what cannot happen ends a test")]

use std::sync::Arc;

use pointbook_app::ports::{Database, TenantData};
use pointbook_app::{StoreResult, audit_ledger};
use pointbook_domain::Activity;
use pointbook_store_sqlite::{SqliteOptions, SqliteStore};
use pointbook_testkit::build::{self, activity, recorded};
use pointbook_testkit::conformance::add_tenant;
use rusqlite::Connection;

/// A user with two transactions, of whom the second has bonuses of 3 and 4, and a statement behind
/// the service's back.
async fn tampered(sql: &str) -> (tempfile::TempDir, Arc<dyn TenantData>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    let database: Arc<dyn Database> =
        Arc::new(SqliteStore::open(&path, &SqliteOptions::new(build::noon())).unwrap());
    let data = add_tenant(&database, "acme").await;
    let with_bonuses = Activity { bonuses: build::bonuses(&[3, 4]), ..activity("s2", 20) };
    let rows = [recorded("u1", activity("s1", 10)), recorded("u1", with_bonuses)];
    data.record_history(&rows, build::noon()).await.unwrap();
    assert_eq!(Connection::open(path).unwrap().execute(sql, []).unwrap(), 1);
    (folder, data)
}

async fn audit(data: &dyn TenantData) -> StoreResult<Vec<String>> {
    let mut found = Vec::new();
    audit_ledger(data, |user| found.extend(user.differences.iter().map(ToString::to_string))).await?;
    Ok(found)
}

const SECOND_ROW: &str = "user \"u1\": transaction 2 of 2024-02-29T12:00:00.000000Z";

/// Clients are shown its sum.
#[tokio::test]
async fn a_changed_breakdown_is_found() {
    let change = "UPDATE transactions SET bonus_breakdown = json_set(bonus_breakdown, '$[0].points', 30)
                  WHERE source_id = 's2'";
    let (_folder, data) = tampered(change).await;
    let balance = "user \"u1\": balance is 37 but the transactions come to 64".to_owned();
    let row = format!("{SECOND_ROW} has 7 bonus points but its breakdown comes to 34");
    assert_eq!(audit(&*data).await.unwrap(), [balance, row]);
}

#[tokio::test]
async fn a_changed_sum_of_bonuses_is_found() {
    let (_folder, data) = tampered("UPDATE transactions SET bonus_points = 8 WHERE source_id = 's2'").await;
    let row = format!("{SECOND_ROW} has 8 bonus points but its breakdown comes to 7");
    assert_eq!(audit(&*data).await.unwrap(), [row]);
}

#[tokio::test]
async fn a_breakdown_that_makes_no_sense_is_named_by_its_row() {
    let (_folder, data) =
        tampered("UPDATE transactions SET bonus_breakdown = '[{}]' WHERE source_id = 's2'").await;
    let what = audit(&*data).await.unwrap_err().to_string();
    let row = format!("table transactions, key (\"u1\", {}, 2), column bonus_breakdown", build::NOON_MICROS);
    assert!(what.contains(&row), "{what}");
}
