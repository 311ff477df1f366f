//! Checks that each row of a user follows from the row before.

use super::auditor::Link;
use super::fact::{StoredRow, StoredUser};
use crate::UserId;
use crate::ledger::{ChainHash, LedgerRow};

/// The newest row so far, as it is stored. So the audit names one changed row, and not all rows after it.
#[derive(Debug, Default)]
pub(super) struct ChainCheck {
    seq: i64,
    balance: i64,
    /// At first [`crate::ledger::CHAIN_START`], zeros.
    hash: ChainHash,
}

impl ChainCheck {
    /// Takes the next row, and adds its faults.
    pub(super) fn take(&mut self, user_id: &UserId, row: &StoredRow, link: Link, faults: &mut Vec<String>) {
        let expected = self.seq.saturating_add(1);
        if row.seq == expected {
            self.compare(user_id, row, link, faults);
        } else {
            // The row before is missing, or this position is taken already.
            faults.push(format!("stands where {expected} should"));
        }
        if row.seq >= expected {
            *self = Self { seq: row.seq, balance: row.balance_after(), hash: row.hash };
        }
    }

    fn compare(&self, user_id: &UserId, row: &StoredRow, link: Link, faults: &mut Vec<String>) {
        let (stored, recomputed) = (row.balance_after(), i128::from(self.balance) + row.net_points());
        if i128::from(stored) != recomputed {
            faults.push(format!("balance after it is {stored} but should be {recomputed}"));
        }
        let Ok(content) = &row.content else { return };
        let ledger_row = LedgerRow {
            user_id,
            seq: row.seq.cast_unsigned(),
            transaction: &content.transaction,
            balance_after: content.balance_after,
            recorded_at: content.recorded_at,
            moves: content.moves.as_ref(),
        };
        if link(&ledger_row, &self.hash) != row.hash {
            faults.push("hash does not follow from the row and the one before".to_owned());
        }
    }

    /// The faults of the user's row about the newest ledger row, after the last one.
    pub(super) fn compare_newest(&self, stored: &StoredUser) -> Option<String> {
        if stored.last_seq != self.seq {
            let (stored, found) = (stored.last_seq, self.seq);
            Some(format!("newest transaction is said to be {stored} but is {found}"))
        } else if stored.last_hash != self.hash {
            Some("the stored last hash is not that of the newest transaction".to_owned())
        } else {
            None
        }
    }
}
