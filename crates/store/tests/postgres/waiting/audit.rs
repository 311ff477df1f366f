//! Audits with concurrent writers, and audits that lose their connection.

use pointbook_domain::audit::AuditFact;
use pointbook_store::ports::{AuditBatch, NewTransaction};
use pointbook_store::{StoreError, StoreResult};
use pointbook_testkit::build;
use pointbook_testkit::build::{activity, product, recorded};
use tokio::sync::mpsc;

use super::fixture::WaitingFixture;

/// More rows than an audit reads ahead.
const ROWS: usize = 6_000;

/// All facts, and the result of the audit. Runs `between` after the first batch.
async fn audited(fixture: &WaitingFixture, between: impl AsyncFnOnce()) -> (AuditBatch, StoreResult<()>) {
    let rows: Vec<NewTransaction> =
        (0..ROWS).map(|row| recorded("u2", activity(&row.to_string(), 1))).collect();
    fixture.data.write(build::history(rows.clone())).await.unwrap();
    let (sender, mut receiver) = mpsc::channel(1);
    let data = fixture.data.clone();
    let audit = tokio::spawn(async move { data.audit_facts(sender).await });
    let mut facts = receiver.recv().await.unwrap();
    between().await;
    while let Some(batch) = receiver.recv().await {
        facts.extend(batch);
    }
    (facts, audit.await.unwrap())
}

#[tokio::test]
async fn audit_does_not_see_later_rows() {
    let Some(fixture) = WaitingFixture::with(product("mug")).await else { return };
    let (facts, end) = audited(&fixture, async || {
        let rows = ["u2", "u3"].map(|user| recorded(user, activity("late", 1)));
        fixture.data.write(build::history(rows.clone())).await.unwrap();
    })
    .await;
    end.unwrap();
    // Two users, the row of u1, and the rows of u2.
    assert_eq!(facts.len(), 2 + 1 + ROWS);
}

/// A retry would send all facts again.
#[tokio::test]
async fn interrupted_audit_is_not_retried() {
    let Some(fixture) = WaitingFixture::with(product("mug")).await else { return };
    let (facts, end) = audited(&fixture, async || {
        let others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                      WHERE datname = current_database() AND pid <> pg_backend_pid()";
        fixture.meanwhile(others).await;
    })
    .await;
    assert!(matches!(end, Err(StoreError::Unavailable(_))), "{end:?}");
    let users = facts.iter().filter(|(_, fact)| matches!(fact, AuditFact::User(_))).count();
    assert_eq!(users, 2);
    assert!(facts.len() < ROWS);
}
