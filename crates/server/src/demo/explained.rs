//! The transaction that the demo explains.

use std::collections::HashSet;

use pointbook_domain::{PageNumber, PageRequest, PageSize, Points, SourceId, UserId};
use pointbook_store::ServedTenant;
use pointbook_store::ports::LedgerEntry;

use crate::sample::SampleResult;

/// More rows than a back-fill of the demo adds for a user.
const EXPLAINABLE_ROWS: u32 = 1_000;

/// The id of a transaction of the heavy user that a bonus of a campaign makes worth explaining.
pub(super) async fn explained(served: &ServedTenant) -> SampleResult<String> {
    let size = PageSize::new(EXPLAINABLE_ROWS).unwrap_or(PageSize::DEFAULT);
    let page = PageRequest { number: PageNumber::FIRST, size };
    let entries = served.data.entries_of(&UserId::new("aiko")?, page).await?.items;
    let found = newest_with_awards(&entries).or(entries.first());
    Ok(found.map(|entry| entry.transaction.id.to_string()).unwrap_or_default())
}

/// The newest row with base points and awards that is not reversed. Visitors of the demo add reversals and back-fills.
fn newest_with_awards(entries: &[LedgerEntry]) -> Option<&LedgerEntry> {
    let sources = entries.iter().map(|entry| &entry.transaction.activity.source_id);
    let reversed: HashSet<&str> = sources.filter_map(SourceId::reversed_transaction).collect();
    entries.iter().find(|LedgerEntry { transaction, .. }| {
        let has_awards = transaction.bonus_origin.awards() > 0 && transaction.activity.points > Points::ZERO;
        has_awards && !reversed.contains(transaction.id.as_str())
    })
}

#[cfg(test)]
mod tests {
    use pointbook_domain::ledger::CHAIN_START;
    use pointbook_domain::{Activity, BonusOrigin, Transaction, TransactionId};
    use pointbook_testkit::build;

    use super::*;

    fn entry(seq: u64, source_id: &str, points: i64, bonus_origin: BonusOrigin) -> LedgerEntry {
        let activity: Activity = build::activity(source_id, points);
        let id = TransactionId::new(format!("t{seq}")).unwrap();
        LedgerEntry {
            user_id: build::user_id("aiko"),
            seq,
            transaction: Transaction { id, activity, bonus_origin },
            balance_after: build::points(100),
            recorded_at: build::noon(),
            moves: None,
            hash: CHAIN_START,
        }
    }

    #[test]
    fn neither_back_filled_nor_reversed_rows_are_explained() {
        let awards = BonusOrigin::Campaigns { awards: 1 };
        let entries = [
            entry(5, "t3:weekend:back-fill", 0, BonusOrigin::BackFill),
            entry(4, "t3:reversal", -9, BonusOrigin::Undecided),
            entry(3, "s3", 9, awards),
            entry(2, "s2", 9, BonusOrigin::Campaigns { awards: 0 }),
            entry(1, "s1", 9, awards),
        ];
        assert_eq!(newest_with_awards(&entries).map(|entry| entry.seq), Some(1));
        assert_eq!(newest_with_awards(&entries[2..]).map(|entry| entry.seq), Some(3));
    }
}
