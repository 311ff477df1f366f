//! What became of a transaction, as the ports tell it.

use std::sync::Arc;

use pointbook_domain::{Activity, Points, Transaction};

use super::Refusal;
use crate::ports::{NewTransaction, RecordActivityOutcome, RecordOutcome, RecordedActivity};

/// A transaction in its place among the user's rows.
#[derive(Debug)]
pub struct StoredTransaction {
    /// Its place, from 1.
    pub seq: u64,
    /// As it was recorded.
    pub transaction: Transaction,
}

/// What became of a transaction.
#[derive(Debug)]
pub enum Addition {
    /// It stands in the ledger from now on.
    Added {
        /// Its place among the user's rows.
        seq: u64,
    },
    /// One with its business key stood there before; nothing was added.
    StoodThere(StoredTransaction),
    /// Nothing was added.
    Refused(Refusal),
}

/// What recording one activity came to; `user_points` is the balance afterwards.
pub fn activity_outcome(
    addition: Addition,
    given: &Arc<Transaction>,
    has_own_time: bool,
    user_points: Points,
) -> RecordActivityOutcome {
    let recorded = |transaction, seq| RecordedActivity { transaction, seq, user_points };
    match addition {
        Addition::Added { seq } => RecordActivityOutcome::Recorded(recorded(given.clone(), seq)),
        Addition::StoodThere(StoredTransaction { seq, transaction: stored }) => {
            if is_same(&stored.activity, &given.activity, has_own_time) {
                RecordActivityOutcome::AlreadyRecorded(recorded(stored.into(), seq))
            } else {
                RecordActivityOutcome::Conflict
            }
        }
        Addition::Refused(Refusal::TooFewPoints) => RecordActivityOutcome::TooFewPoints,
        Addition::Refused(Refusal::OutOfRange) => RecordActivityOutcome::OutOfRange,
    }
}

/// Whether a repeat has the content of the first. A time that the request did not give is that of
/// the request, and says nothing.
fn is_same(first: &Activity, repeat: &Activity, has_own_time: bool) -> bool {
    let Activity { kind, source_id, points, bonuses, title, subtitle, created_at } = repeat;
    let is_same_time = !has_own_time || first.created_at == *created_at;
    is_same_time
        && (&first.kind, &first.source_id, first.points) == (kind, source_id, *points)
        && (&first.bonuses, &first.title, &first.subtitle) == (bonuses, title, subtitle)
}

/// What recording one transaction of a history came to.
pub fn history_outcome(addition: &Addition, given: &Transaction) -> RecordOutcome {
    match addition {
        Addition::Added { .. } => RecordOutcome::Recorded,
        Addition::StoodThere(stored) if stored.transaction.activity == given.activity => {
            RecordOutcome::AlreadyRecorded
        }
        Addition::StoodThere(_) => RecordOutcome::Conflict,
        // Nothing is too much in a history, so only the bounds are left.
        Addition::Refused(Refusal::OutOfRange | Refusal::TooFewPoints) => RecordOutcome::OutOfRange,
    }
}

/// Transactions with their places, user by user in the order of ids, so that each user's rows and days are
/// touched together and all writers meet users in one order; among a user's transactions the given order
/// holds.
pub fn by_user(transactions: &[NewTransaction]) -> Vec<(usize, &NewTransaction)> {
    let mut by_user: Vec<_> = transactions.iter().enumerate().collect();
    by_user.sort_by(|(_, a), (_, b)| a.user_id.cmp(&b.user_id));
    by_user
}
