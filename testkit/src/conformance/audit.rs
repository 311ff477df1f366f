//! Facts of the audit. The ledger model audits each of its tenants.

use std::sync::Arc;

use pointbook_catalogue::commands::UpsertProducts;
use pointbook_domain::audit::{AuditFact, RowContent, StoredLots, StoredRow, StoredUser};
use pointbook_domain::ledger::CHAIN_START;
use pointbook_domain::{Activity, EarnedCounts, UserId};
use pointbook_points::orders::place::PlaceOrder;
use pointbook_store::ports::{AuditBatch, Database, LedgerEntry, NewOrder, TenantData};
use tokio::sync::mpsc;

use super::chain::all_entries;
use super::{add_tenant, record_all};
use crate::build;
use crate::build::{activity, order, product, recorded};

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

/// A ledger row as a fact of the audit.
fn row(entry: LedgerEntry) -> (UserId, AuditFact) {
    let LedgerEntry { user_id, seq, transaction, balance_after, recorded_at, hash, moves } = entry;
    let bonus_points = transaction.activity.bonuses.total().get();
    let content = Ok(RowContent { transaction, balance_after, recorded_at, moves });
    let row = StoredRow { seq: seq.cast_signed(), hash, bonus_points, content };
    (user_id, AuditFact::Row(Box::new(row)))
}

/// Users come by code point. Each user has the user's row, the orders by time, and the complete ledger rows by
/// `seq`.
pub async fn facts_come_by_user_then_part_then_place(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let late =
        Activity { created_at: build::on_day(1), bonuses: build::bonuses(&[4]), ..activity("s1", 310) };
    let rows = [recorded("か", late), recorded("か", activity("s2", -3)), recorded("Z", activity("s1", 1))];
    record_all(&data, &rows).await;
    data.write(build::import([build::profile("a")])).await.unwrap();
    data.write(UpsertProducts(vec![build::upsert(product("mug"))])).await.unwrap();
    data.write(PlaceOrder::without_end(order("o2", "か", "mug"))).await.unwrap();
    data.write(PlaceOrder::without_end(NewOrder { at: build::at(1), ..order("o1", "か", "mug") }))
        .await
        .unwrap();

    let entries = all_entries(&data).await;
    let user = |id, balance, day_count, last: Option<&LedgerEntry>| {
        let last_seq = last.map_or(0, |entry| entry.seq.cast_signed());
        let last_hash = last.map_or(CHAIN_START, |entry| entry.hash);
        let mut earned = EarnedCounts::NONE;
        let of_user = entries.iter().filter(|entry| entry.user_id == build::user_id(id));
        of_user.for_each(|entry| earned.add(&entry.transaction.activity));
        let earned = earned.to_string();
        (
            build::user_id(id),
            AuditFact::User(StoredUser {
                balance,
                day_count,
                last_seq,
                last_hash,
                earned,
                lots: StoredLots::default(),
            }),
        )
    };
    let mut expected = vec![user("Z", 1, 1, entries.first()), row(entries[0].clone())];
    expected.extend([user("a", 0, 0, None), user("か", 111, 2, entries.last())]);
    for id in ["o2", "o1"] {
        let order = data.order(&build::order_id(id)).await.unwrap().unwrap();
        expected.push((build::user_id("か"), AuditFact::Order(Box::new(order))));
    }
    expected.extend(entries.into_iter().skip(1).map(row));
    assert_eq!(batches(&data).await.concat(), expected);
}

/// Bounded batches keep the memory of an audit bounded.
pub async fn a_long_ledger_is_sent_in_bounded_batches(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let rows: Vec<_> = (0..5_000).map(|row| recorded("u1", activity(&row.to_string(), 1))).collect();
    record_all(&data, &rows).await;
    let batches = batches(&data).await;
    assert_eq!(batches.iter().map(Vec::len).sum::<usize>(), 5_001);
    assert!(batches.iter().all(|batch| (1..=2_500).contains(&batch.len())));
}

/// The reader may have failed.
pub async fn audit_ends_without_error_when_its_reader_is_gone(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    record_all(&data, &[recorded("u1", activity("s1", 1))]).await;
    let (sender, receiver) = mpsc::channel(1);
    drop(receiver);
    data.audit_facts(sender).await.unwrap();
}
