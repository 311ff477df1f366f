//! Facts of the ledger's chain, recomputed from the exported rows only.

use std::collections::BTreeMap;
use std::sync::Arc;

use pointbook_domain::ledger::{CHAIN_START, LedgerRow};
use pointbook_domain::{Activity, Points, UserId};
use pointbook_points::earning::record_activities::RecordHistory;
use pointbook_store::chain;
use pointbook_store::ports::{Database, LedgerEntry, TenantData};

use super::add_tenant;
use crate::build;
use crate::build::{activity, recorded};

/// All rows, by user and seq.
pub(super) async fn all_entries(data: &Arc<dyn TenantData>) -> Vec<LedgerEntry> {
    data.entries_after(None, 1_000_000).await.unwrap()
}

/// Panics unless every user's `seq` counts from 1, balances add up and hashes are linked.
pub(super) fn assert_chained(entries: &[LedgerEntry]) {
    let mut users: BTreeMap<&UserId, (u64, Points, [u8; 32])> = BTreeMap::new();
    for entry in entries {
        let LedgerEntry { user_id, seq, transaction, balance_after, recorded_at, hash, moves } = entry;
        let last = users.entry(user_id).or_insert((0, Points::ZERO, CHAIN_START));
        let balance = last.1.checked_add(transaction.activity.net_points().unwrap()).unwrap();
        assert_eq!((*seq, *balance_after), (last.0 + 1, balance), "{user_id}");
        let (balance_after, recorded_at) = (*balance_after, *recorded_at);
        let row =
            LedgerRow { user_id, seq: *seq, transaction, balance_after, recorded_at, moves: moves.as_ref() };
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
