//! The hash of a ledger row: SHA-256 over its canonical form and the hash before.

use pointbook_domain::ledger::{ChainHash, LedgerRow};
use sha2::{Digest, Sha256};

/// The link of this row, after the row whose link is `before`.
pub fn link(row: &LedgerRow<'_>, before: &ChainHash) -> ChainHash {
    Sha256::digest(row.canonical_form(before)).into()
}

#[cfg(test)]
mod tests {
    use pointbook_domain::ledger::CHAIN_START;
    use pointbook_domain::{
        Activity, ActivityType, Bonus, Bonuses, Points, SourceId, Timestamp, Transaction, TransactionId,
        UserId,
    };

    use super::*;

    fn bonus(kind: &str, points: i64, title: &str) -> Bonus {
        Bonus { kind: kind.into(), points: Points::new(points).unwrap(), title: title.into() }
    }

    /// Computed by another program from what docs/operating/audit.md says. Stored rows hold such hashes, so
    /// the form can never change.
    #[test]
    fn a_link_is_what_the_documented_form_comes_to() {
        let breakdown = vec![bonus("birthday", 3, "Day"), bonus("campaign", 4, "")];
        let activity = Activity {
            kind: ActivityType::new("video").unwrap(),
            source_id: SourceId::new("s1").unwrap(),
            points: Points::new(-10).unwrap(),
            bonuses: Bonuses::new(breakdown).unwrap(),
            title: "Title".into(),
            subtitle: "Sub".into(),
            created_at: Timestamp::from_micros(1_709_208_000_000_001).unwrap(),
            attributes: pointbook_domain::Attributes::NONE,
        };
        let row = LedgerRow {
            user_id: &UserId::new("か").unwrap(),
            seq: 1,
            transaction: &Transaction {
                id: TransactionId::new("t1").unwrap(),
                activity,
                bonus_origin: pointbook_domain::BonusOrigin::Undecided,
            },
            balance_after: Points::new(-3).unwrap(),
            recorded_at: Timestamp::from_micros(1_709_208_000_000_002).unwrap(),
            moves: None,
        };
        let hex = data_encoding::HEXLOWER.encode(&link(&row, &CHAIN_START));
        assert_eq!(hex, "e3e9e8ff2763938d6b0cb6d3fc3a60981e0b082886f3d21d4febff0ee8faa61f");
    }
}
