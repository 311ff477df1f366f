//! Facts of the audit.

use std::sync::Arc;

use pointbook_app::ports::{AuditBatch, Database, TenantData};
use pointbook_app::{AuditReport, audit_ledger};
use pointbook_domain::Activity;
use pointbook_domain::audit::AuditFact;
use tokio::sync::mpsc;

use super::{add_tenant, record_all};
use crate::build::{self, activity, recorded};

async fn batches(data: &Arc<dyn TenantData>) -> Vec<AuditBatch> {
    let (sender, mut receiver) = mpsc::channel(1);
    let collect = async {
        let mut batches = Vec::new();
        while let Some(batch) = receiver.recv().await {
            batches.push(batch);
        }
        batches
    };
    let (sent, batches) = tokio::join!(data.audit_facts(sender), collect);
    sent.unwrap();
    batches
}

/// Users by code point; of a user the user's row, the days, the transactions.
pub async fn facts_come_by_user_then_part_then_time(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let late = Activity { created_at: build::on_day(1), bonuses: build::bonuses(&[4]), ..activity("s1", 10) };
    let rows = [recorded("か", late), recorded("か", activity("s2", -3)), recorded("Z", activity("s1", 1))];
    record_all(&data, &rows).await;
    data.upsert_users(&[build::profile("a")], build::noon()).await.unwrap();
    let (first, second) = (build::noon(), build::on_day(1));
    let user = |balance, day_count| AuditFact::User { balance, day_count };
    let day = |time: pointbook_domain::Timestamp| AuditFact::Day { day: time.day(), transaction_count: 1 };
    let row = |created_at, seq, points, bonus_points| AuditFact::Transaction {
        created_at,
        seq,
        points,
        bonus_points,
        stored_bonus_points: bonus_points,
    };
    let expected = [
        ("Z", user(1, 1)),
        ("Z", day(first)),
        ("Z", row(first, 1, 1, 0)),
        ("a", user(0, 0)),
        ("か", user(11, 2)),
        ("か", day(first)),
        ("か", day(second)),
        ("か", row(first, 2, -3, 0)),
        ("か", row(second, 1, 10, 4)),
    ]
    .map(|(user, fact)| (build::user_id(user), fact));
    assert_eq!(batches(&data).await.concat(), expected);
}

/// Whatever was recorded, refused or repeated.
pub async fn an_untouched_ledger_has_no_differences(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let row = |row: i64| {
        let created_at = build::on_day(row % 7);
        let user = format!("u{}", row % 5);
        recorded(
            &user,
            Activity {
                created_at,
                bonuses: build::bonuses(&[row]),
                ..activity(&(row % 40).to_string(), row - 20)
            },
        )
    };
    let rows: Vec<_> = (0..80).map(row).collect();
    for batch in rows.chunks(9) {
        data.record_history(batch, build::noon()).await.unwrap();
    }
    let mut audited = Vec::new();
    let report = audit_ledger(&*data, |user| audited.push(user.clone())).await.unwrap();
    assert_eq!(report, AuditReport { users: 5, transactions: 40, differences: 0 });
    let points: i128 = audited.iter().map(|user| user.totals.user_points).sum();
    assert_eq!(points, (0..40).map(|row| 2 * row - 20).sum());
}

/// So that its memory is bounded, however long it is.
pub async fn a_long_ledger_is_sent_in_bounded_batches(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let rows: Vec<_> = (0..5_000).map(|row| recorded("u1", activity(&row.to_string(), 1))).collect();
    record_all(&data, &rows).await;
    let batches = batches(&data).await;
    assert_eq!(batches.iter().map(Vec::len).sum::<usize>(), 5_002);
    assert!(batches.iter().all(|batch| (1..=2_500).contains(&batch.len())));
}

/// As when its reader failed.
pub async fn an_audit_ends_well_when_nobody_listens(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    record_all(&data, &[recorded("u1", activity("s1", 1))]).await;
    let (sender, receiver) = mpsc::channel(1);
    drop(receiver);
    data.audit_facts(sender).await.unwrap();
}
