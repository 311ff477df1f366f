//! Recording many transactions in one commit.

use pointbook_app::ports::{NewTransaction, RecordOutcome};
use pointbook_app::recording::{Overdraft, by_user, history_outcome};
use pointbook_domain::Timestamp;

use super::record::Recorder;
use crate::connection;
use crate::error::Outcome;

/// Records user by user, in the order of ids: the user's row is read and written once, and two batches
/// never wait for each other.
pub(super) async fn record(
    database: &connection::Transaction,
    tenant: &str,
    transactions: &[NewTransaction],
    recorded_at: Timestamp,
) -> Outcome<Vec<RecordOutcome>> {
    let mut outcomes = Vec::with_capacity(transactions.len());
    for same_user in by_user(transactions).chunk_by(|(_, a), (_, b)| a.user_id == b.user_id) {
        let Some((_, first)) = same_user.first() else { continue };
        let mut recorder = Recorder::begin(database, tenant, &first.user_id, recorded_at).await?;
        for (place, NewTransaction { transaction, .. }) in same_user {
            let addition = recorder.record_told(transaction, Overdraft::Allowed).await?;
            let outcome =
                addition.map_or(RecordOutcome::Conflict, |addition| history_outcome(&addition, transaction));
            outcomes.push((*place, outcome));
        }
        recorder.finish().await?;
    }
    outcomes.sort_unstable_by_key(|(place, _)| *place);
    Ok(outcomes.into_iter().map(|(_, outcome)| outcome).collect())
}
