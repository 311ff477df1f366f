//! A valid database, and the findings of the audits after a change to its file.

use std::sync::Arc;

use pointbook_catalogue::commands::UpsertProducts;
use pointbook_domain::{Activity, Product};
use pointbook_points::audit::ledger::audit_ledger;
use pointbook_points::audit::stock::audit_stock;
use pointbook_points::orders::place::PlaceOrder;
use pointbook_points::orders::step::StepOrder;
use pointbook_store::ports::TenantData;
use pointbook_testkit::build;
use pointbook_testkit::build::{activity, cancel, order, pieces, product, recorded};
use pointbook_testkit::conformance::add_tenant;
use pointbook_testkit::sqlite::new_file;
use rusqlite::Connection;

/// The beginning of the finding that the counts of u1 do not fit its rows.
pub(crate) const EARNED: &str =
    "user \"u1\": earning activities are counted as \"code:3\" but the transactions come to";

/// The findings of both audits after a statement that changes one row, those of the ledger first.
pub(crate) async fn found(change: &str) -> Vec<String> {
    found_after(|database| assert_eq!(database.execute(change, []).unwrap(), 1)).await
}

/// The findings of both audits after `tamper`, which runs without constraints.
pub(crate) async fn found_after(tamper: impl FnOnce(&Connection)) -> Vec<String> {
    let (_folder, path, database) = new_file();
    let data = add_tenant(&database, "acme").await;
    fill(&data).await;
    let file = Connection::open(path).unwrap();
    file.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON").unwrap();
    tamper(&file);
    audits(&*data).await
}

/// Creates two users. User u1 has six transactions on two days and 832 points. The first order of u1 is for 2 of 10 mugs, and
/// the second, for 1 mug, is cancelled. User u2 has one point.
pub(crate) async fn fill(data: &Arc<dyn TenantData>) {
    let mug = Product { stock: Some(10), ..product("mug") };
    data.write(UpsertProducts(vec![build::upsert(mug), build::upsert(product("cup"))])).await.unwrap();
    let before = Activity { created_at: build::on_day(-1), ..activity("s1", 1_000) };
    let with_bonuses = Activity { bonuses: build::bonuses(&[3, 4]), ..activity("s2", 20) };
    record(data, [("u1", before), ("u1", with_bonuses), ("u2", activity("s1", 1))]).await;
    data.write(PlaceOrder::without_end(pieces(2, order("o1", "u1", "mug")))).await.unwrap();
    data.write(PlaceOrder::without_end(order("o2", "u1", "mug"))).await.unwrap();
    data.write(StepOrder::without_end(build::order_id("o2"), cancel("o2"), build::noon())).await.unwrap();
    record(data, [("u1", activity("s3", 5))]).await;
}

async fn record<const N: usize>(data: &Arc<dyn TenantData>, activities: [(&str, Activity); N]) {
    let rows = activities.map(|(user, activity)| recorded(user, activity));
    data.write(build::history(rows.clone())).await.unwrap();
}

pub(crate) async fn audits(data: &dyn TenantData) -> Vec<String> {
    let mut found = Vec::new();
    let ledger =
        audit_ledger(data, |user| found.extend(user.differences.iter().map(ToString::to_string))).await;
    let stock = audit_stock(data, |difference| found.push(difference.to_string())).await.unwrap();
    assert_eq!(ledger.unwrap().differences + stock.differences, found.len() as u64);
    found
}

/// The name of a row of u1 in findings.
pub(crate) fn row(seq: i64, kind: &str, source: &str, id: &str) -> String {
    format!("user \"u1\": transaction {seq} ({kind} {source:?}, id {id:?}): ")
}

/// The name of the second row of u1 in findings.
pub(crate) fn second_row() -> String {
    row(2, "code", "s2", "u1/code/s2")
}

/// The finding for a row with the wrong hash.
pub(crate) const HASH: &str = "hash does not follow from the row and the one before";

#[tokio::test]
async fn unchanged_file_has_no_findings() {
    assert_eq!(found_after(|_| {}).await, [""; 0]);
}
