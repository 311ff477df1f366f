//! Recording many transactions in one commit.

use pointbook_app::ports::{NewTransaction, RecordOutcome};
use pointbook_domain::Timestamp;
use rusqlite::Transaction;

use super::record::Recorder;
use crate::error::Outcome;

/// Records user by user, so that each user's rows and days are touched together and the user's row
/// is read and written once; among a user's transactions the given order holds.
pub(super) fn record(
    database: &Transaction<'_>,
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
            outcomes.push((*place, recorder.record(&new.transaction)?));
        }
        recorder.finish()?;
    }
    outcomes.sort_unstable_by_key(|(place, _)| *place);
    Ok(outcomes.into_iter().map(|(_, outcome)| outcome).collect())
}
