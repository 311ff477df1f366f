//! Recording many transactions in one commit.

use pointbook_app::ports::{NewTransaction, RecordOutcome};
use pointbook_domain::{Timestamp, Transaction};

use super::record::{Addition, Overdraft, Recorder, Refusal};
use crate::error::Outcome;

/// Records user by user, so that each user's rows and days are touched together and the user's row
/// is read and written once; among a user's transactions the given order holds.
pub(super) fn record(
    database: &rusqlite::Transaction<'_>,
    tenant: &str,
    transactions: &[NewTransaction],
    recorded_at: Timestamp,
) -> Outcome<Vec<RecordOutcome>> {
    let mut by_user: Vec<(usize, &NewTransaction)> = transactions.iter().enumerate().collect();
    by_user.sort_by(|(_, a), (_, b)| a.user_id.cmp(&b.user_id));
    let mut outcomes = Vec::with_capacity(transactions.len());
    for same_user in by_user.chunk_by(|(_, a), (_, b)| a.user_id == b.user_id) {
        let Some((_, first)) = same_user.first() else { continue };
        let mut recorder = Recorder::begin(database, tenant, &first.user_id, recorded_at)?;
        for (place, new) in same_user {
            let addition = recorder.record_told(&new.transaction, Overdraft::Allowed)?;
            let outcome = addition.map_or(RecordOutcome::Conflict, |what| outcome(&what, &new.transaction));
            outcomes.push((*place, outcome));
        }
        recorder.finish()?;
    }
    outcomes.sort_unstable_by_key(|(place, _)| *place);
    Ok(outcomes.into_iter().map(|(_, outcome)| outcome).collect())
}

fn outcome(addition: &Addition, given: &Transaction) -> RecordOutcome {
    match addition {
        Addition::Added { .. } => RecordOutcome::Recorded,
        Addition::StoodThere(stored) if stored.transaction.activity == given.activity => {
            RecordOutcome::AlreadyRecorded
        }
        Addition::StoodThere(_) => RecordOutcome::Conflict,
        // Nothing is too much here, so only the bounds are left.
        Addition::Refused(Refusal::OutOfRange | Refusal::TooFewPoints) => RecordOutcome::OutOfRange,
    }
}
