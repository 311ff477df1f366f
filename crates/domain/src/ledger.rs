//! The chain of the ledger: each row of a user has a hash over itself and the row before. So an audit finds a row that another
//! program changed.

use crate::canonical::Canonical;
use crate::expiry::Moves;
use crate::{Points, Timestamp, Transaction, UserId};

/// A SHA-256 in the chain of one user.
pub type ChainHash = [u8; 32];

/// The hash before a user's first row.
pub const CHAIN_START: ChainHash = [0; 32];

const FORMAT: &[u8] = b"pointbook-ledger-1\n";

/// A row of the ledger with its position: the `seq`th row of its user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerRow<'r> {
    pub user_id: &'r UserId,
    /// 1, 2, 3 ... in order of recording, without a gap.
    pub seq: u64,
    pub transaction: &'r Transaction,
    pub balance_after: Points,
    pub recorded_at: Timestamp,
    /// What it moved in the lots of the user. `None` when no lots are kept.
    pub moves: Option<&'r Moves>,
}

impl LedgerRow<'_> {
    /// The hashed bytes: the format's name, the hash before, then every field in the order of this function. Integers are 8
    /// bytes, big-endian. Strings are their length in bytes (an integer) and their UTF-8. Moves of lots are there only when lots are
    /// kept, as their text. The tenant is not part of it, so that a tenant can move to another database.
    pub fn canonical_form(&self, before: &ChainHash) -> Vec<u8> {
        let Transaction { id, activity, bonus_origin: _ } = self.transaction;
        let mut form = Canonical::new(FORMAT, before);
        form.text(self.user_id.as_str());
        form.integer(self.seq.cast_signed());
        form.text(id.as_str());
        form.text(activity.kind.as_str());
        form.text(activity.source_id.as_str());
        form.integer(activity.points.get());
        form.integer(activity.bonuses.total().get());
        form.length(activity.bonuses.breakdown().len());
        for bonus in activity.bonuses.breakdown() {
            form.text(&bonus.kind);
            form.integer(bonus.points.get());
            form.text(&bonus.title);
        }
        form.text(&activity.title);
        form.text(&activity.subtitle);
        form.integer(activity.created_at.as_micros());
        form.integer(self.recorded_at.as_micros());
        form.integer(self.balance_after.get());
        if let Some(moves) = self.moves {
            form.text(&moves.to_string());
        }
        form.into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Activity, ActivityType, Bonuses, SourceId, TransactionId};

    fn transaction(title: &str, subtitle: &str) -> Transaction {
        Transaction {
            id: TransactionId::new("t1").unwrap(),
            activity: Activity {
                kind: ActivityType::new("code").unwrap(),
                source_id: SourceId::new("s1").unwrap(),
                points: Points::new(10).unwrap(),
                bonuses: Bonuses::default(),
                title: title.to_owned(),
                subtitle: subtitle.to_owned(),
                created_at: Timestamp::from_micros(0).unwrap(),
                attributes: crate::Attributes::NONE,
            },
            bonus_origin: crate::BonusOrigin::Undecided,
        }
    }

    fn form(transaction: &Transaction, before: ChainHash) -> Vec<u8> {
        let user_id = &UserId::new("u1").unwrap();
        let recorded_at = Timestamp::from_micros(1).unwrap();
        let balance_after = Points::new(10).unwrap();
        LedgerRow { user_id, seq: 1, transaction, balance_after, recorded_at, moves: None }
            .canonical_form(&before)
    }

    #[test]
    fn text_cannot_move_between_fields_unnoticed() {
        assert_ne!(form(&transaction("ab", "c"), CHAIN_START), form(&transaction("a", "bc"), CHAIN_START));
    }

    #[test]
    fn the_row_before_is_part_of_the_form() {
        let row = transaction("a", "b");
        assert_ne!(form(&row, CHAIN_START), form(&row, [1; 32]));
    }
}
