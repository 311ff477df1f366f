//! Writes that share a commit succeed or fail alone.

use std::sync::Arc;

use pointbook_store::ports::{Database, TenantData};
use pointbook_store::sqlite::{SqliteOptions, SqliteStore};
use pointbook_testkit::conformance::{
    add_tenant, campaign_races, keep_points_to_their_end, keep_returns_within_their_row,
    keep_the_limit_of_webhooks,
};
use pointbook_testkit::ledger_model::writes_sent_together_agree_with_the_naive_tenant;
use pointbook_testkit::{TestDatabase, build};
use rusqlite::Connection;
use tempfile::TempDir;

/// A connection that holds the write lock until it is dropped.
fn hold(path: &std::path::Path) -> Connection {
    let other = Connection::open(path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    other
}

#[test]
fn writes_of_shared_commit_agree_with_naive_tenant() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    let store = SqliteStore::open(&path, &SqliteOptions::new(build::noon())).unwrap();
    let fresh = TestDatabase { database: Arc::new(store), keep: Box::new(folder) };
    writes_sent_together_agree_with_the_naive_tenant(&fresh, || hold(&path));
}

/// The tenant acme, as two processes with one file have it. The folder must live as long as they do.
async fn two_handles() -> ([Arc<dyn TenantData>; 2], TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    let open = || -> Arc<dyn Database> {
        Arc::new(SqliteStore::open(&path, &SqliteOptions::new(build::noon())).unwrap())
    };
    let (one, other) = (open(), open());
    let data = add_tenant(&one, "acme").await;
    ([data, other.tenant(&build::tenant("acme").id)], folder)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_stores_of_a_file_keep_the_limit_of_webhooks() {
    let (handles, _folder) = two_handles().await;
    keep_the_limit_of_webhooks(handles).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_stores_of_a_file_end_points_once() {
    let (handles, _folder) = two_handles().await;
    keep_points_to_their_end(handles).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_stores_of_a_file_return_no_more_than_the_row() {
    let (handles, _folder) = two_handles().await;
    keep_returns_within_their_row(handles).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_stores_of_a_file_keep_budgets_and_limits_of_campaigns() {
    let (handles, _folder) = two_handles().await;
    campaign_races::keep_a_budget_of_awards(handles).await;
    let (handles, _folder) = two_handles().await;
    campaign_races::keep_a_budget_of_points(handles).await;
    let (handles, _folder) = two_handles().await;
    campaign_races::keep_a_budget_while_reversing(handles).await;
    let (handles, _folder) = two_handles().await;
    campaign_races::keep_a_smaller_budget(handles).await;
    let (handles, _folder) = two_handles().await;
    campaign_races::keep_the_limits_of_a_user(handles).await;
}
