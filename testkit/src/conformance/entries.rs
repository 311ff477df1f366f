//! Facts of exporting the ledger.

use std::sync::Arc;

use pointbook_domain::{Activity, ActivityType, SourceId};
use pointbook_points::earning::record_activities::RecordHistory;
use pointbook_store::ports::{Database, LedgerEntry};

use super::add_tenant;
use super::chain::all_entries;
use crate::build;
use crate::build::{activity, recorded};

/// Entries have the recorded transaction, time and `seq`.
pub async fn entries_are_read_back_in_full(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let first = recorded("u1", Activity { bonuses: build::bonuses(&[2, 3]), ..activity("s1", -10) });
    let second = recorded("u1", Activity { created_at: build::at(-1), ..activity("s2", 7) });
    data.write(RecordHistory::new(vec![first.clone()], build::on_day(1))).await.unwrap();
    data.write(RecordHistory::new(vec![second.clone()], build::on_day(2))).await.unwrap();
    let entries = all_entries(&data).await;
    let read: Vec<_> = entries
        .into_iter()
        .map(|LedgerEntry { user_id, seq, transaction, balance_after, recorded_at, hash: _, moves: _ }| {
            (user_id, seq, transaction, balance_after.get(), recorded_at)
        })
        .collect();
    let expected = [(first, 1, -5, build::on_day(1)), (second, 2, 2, build::on_day(2))]
        .map(|(new, seq, balance, recorded_at)| (new.user_id, seq, new.transaction, balance, recorded_at));
    assert_eq!(read, expected);
}

/// A page may end between two rows of a user. Each row is on exactly one page.
pub async fn entries_are_paged_by_user_and_seq(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let users = ["\u{1f600}", "か", "b", "a b", "Z", "1"];
    let rows: Vec<_> = (0..30).map(|row| recorded(users[row % 6], activity(&row.to_string(), 1))).collect();
    data.write(build::history(rows.clone())).await.unwrap();
    for limit in [1, 4, 5, 7, 30, 100] {
        let mut seen: Vec<LedgerEntry> = Vec::new();
        loop {
            let after = seen.last().map(|entry| (&entry.user_id, entry.seq));
            let page = data.entries_after(after, limit).await.unwrap();
            assert!(page.len() <= limit as usize);
            if page.is_empty() {
                break;
            }
            seen.extend(page);
        }
        let places: Vec<_> = seen.iter().map(|entry| (entry.user_id.as_str(), entry.seq)).collect();
        let sorted = users.iter().rev();
        let expected: Vec<_> = sorted.flat_map(|user| (1..=5).map(move |seq| (*user, seq))).collect();
        assert_eq!(places, expected, "limit {limit}");
    }
}

/// A user may have the same source id under several types.
pub async fn entries_are_found_by_user_and_source(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let of = |user: &str, kind: &str, source: &str| {
        let kind = ActivityType::new(kind).unwrap();
        recorded(user, Activity { kind, ..activity(source, 1) })
    };
    let rows =
        vec![of("u1", "code", "s"), of("u1", "quiz", "s"), of("u1", "code", "S"), of("u2", "code", "s")];
    data.write(build::history(rows)).await.unwrap();
    let found = async |user: &str, source: &str, limit| {
        let (user, source) = (build::user_id(user), SourceId::new(source).unwrap());
        let entries = data.entries_with_source(&user, &source, limit).await.unwrap();
        entries.iter().map(|entry| entry.seq).collect::<Vec<_>>()
    };
    assert_eq!(found("u1", "s", 10).await, [1, 2]);
    assert_eq!(found("u1", "s", 1).await, [1]);
    assert_eq!(found("u1", "S", 10).await, [3]);
    assert_eq!(found("u2", "s", 10).await, [1]);
    assert_eq!(found("u3", "s", 10).await, [0; 0]);
}
