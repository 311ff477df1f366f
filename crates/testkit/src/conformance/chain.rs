//! Facts of the ledger's chain, recomputed from the exported rows only.

use std::collections::BTreeMap;
use std::sync::Arc;

use pointbook_app::chain;
use pointbook_app::ports::{Database, LedgerEntry, TenantData};
use pointbook_domain::ledger::{CHAIN_START, LedgerRow};
use pointbook_domain::points::MAX_POINTS;
use pointbook_domain::{Activity, Points, UserId};
use pointbook_earning::RecordHistory;

use super::{add_tenant, record_all};
use crate::build::{self, activity, recorded};

/// All rows, by user and seq.
pub(super) async fn all_entries(data: &Arc<dyn TenantData>) -> Vec<LedgerEntry> {
    data.entries_after(None, 1_000_000).await.unwrap()
}

/// Panics unless every user's `seq` counts from 1, balances add up and hashes are linked.
pub(super) fn assert_chained(entries: &[LedgerEntry]) {
    let mut users: BTreeMap<&UserId, (u64, Points, [u8; 32])> = BTreeMap::new();
    for entry in entries {
        let LedgerEntry { user_id, seq, transaction, balance_after, recorded_at, hash } = entry;
        let last = users.entry(user_id).or_insert((0, Points::ZERO, CHAIN_START));
        let balance = last.1.checked_add(transaction.activity.net_points().unwrap()).unwrap();
        assert_eq!((*seq, *balance_after), (last.0 + 1, balance), "{user_id}");
        let (balance_after, recorded_at) = (*balance_after, *recorded_at);
        let row = LedgerRow { user_id, seq: *seq, transaction, balance_after, recorded_at };
        assert_eq!(*hash, chain::link(&row, &last.2), "{user_id} {seq}");
        *last = (*seq, balance_after, *hash);
    }
}

/// This holds within a batch and across batches.
pub async fn seq_and_chain_have_no_gap(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    for batch in 0..4 {
        let bonuses = || build::bonuses(&[batch, 2]);
        let row = |row: i64| {
            let new = Activity { bonuses: bonuses(), ..activity(&format!("{batch}-{row}"), row - 3) };
            recorded(["u1", "u2", "u3"][usize::try_from(row % 3).unwrap()], new)
        };
        let rows: Vec<_> = (0..7).map(row).collect();
        data.write(RecordHistory::new(rows.clone(), build::on_day(batch))).await.unwrap();
    }
    let entries = all_entries(&data).await;
    assert_eq!(entries.len(), 28);
    assert_chained(&entries);
}

/// Refused are repetitions, conflicts and amounts out of range.
pub async fn refused_rows_leave_no_trace_in_the_chain(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let given = [("a", 1), ("a", 1), ("a", 2), ("b", MAX_POINTS), ("c", 3), ("a", 1), ("d", 4)];
    for round in 0..2 {
        let row = |(place, (source, amount)): (usize, &(&str, i64))| {
            build::again(&recorded("u1", activity(source, *amount)), &format!("{round}/{place}"))
        };
        let batch: Vec<_> = given.iter().enumerate().map(row).collect();
        data.write(RecordHistory::new(batch.clone(), build::on_day(round))).await.unwrap();
    }
    let entries = all_entries(&data).await;
    let sources: Vec<_> = entries.iter().map(|entry| entry.transaction.activity.source_id.as_str()).collect();
    assert_eq!(sources, ["a", "c", "d"]);
    assert_chained(&entries);
}

/// This is not the order of `created_at`.
pub async fn rows_are_chained_in_the_order_of_recording(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let on_day =
        |day| recorded("u1", Activity { created_at: build::on_day(day), ..activity(&day.to_string(), 1) });
    record_all(&data, &[on_day(5), on_day(1), on_day(9)]).await;
    record_all(&data, &[on_day(0), on_day(7)]).await;
    let entries = all_entries(&data).await;
    let sources: Vec<_> = entries.iter().map(|entry| entry.transaction.activity.source_id.as_str()).collect();
    assert_eq!(sources, ["5", "1", "9", "0", "7"]);
    assert_chained(&entries);
}
