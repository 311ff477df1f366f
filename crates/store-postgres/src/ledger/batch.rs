//! Recording many transactions in one commit.

use pointbook_app::ports::{NewTransaction, RecordOutcome};
use pointbook_app::recording::{Overdraft, by_user, history_outcome};
use pointbook_domain::Timestamp;

use super::told::{Told, ToldRecorder};
use super::user_state::Hold;
use crate::connection;
use crate::error::Outcome;
use crate::once::Plan;

/// Plans to record them user by user, so that rows that are read together stand together.
pub(super) async fn plan<'d, 't>(
    database: &'d connection::Transaction,
    tenant: &'d str,
    transactions: &'t [NewTransaction],
    recorded_at: Timestamp,
) -> Outcome<Plan<'d, Vec<RecordOutcome>>> {
    let (places, by_user): (Vec<usize>, Vec<&NewTransaction>) = by_user(transactions).into_iter().unzip();
    let told = |NewTransaction { user_id, transaction }: &'t NewTransaction| Told {
        user_id,
        transaction,
        recorded_at,
    };
    let told: Vec<Told<'_>> = by_user.into_iter().map(told).collect();
    let mut recorder = ToldRecorder::begin(database, tenant, &told, Hold::Waiting).await?;
    let mut outcomes = Vec::with_capacity(told.len());
    for (place, told) in places.into_iter().zip(told) {
        let addition = recorder.record(told, Overdraft::Allowed)?;
        let outcome =
            addition.map_or(RecordOutcome::Conflict, |addition| history_outcome(&addition, told.transaction));
        outcomes.push((place, outcome));
    }
    outcomes.sort_unstable_by_key(|(place, _)| *place);
    let outcomes = outcomes.into_iter().map(|(_, outcome)| outcome).collect();
    Ok(Plan::new(outcomes, recorder.finish().write(database, tenant)))
}
