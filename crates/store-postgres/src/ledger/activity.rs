//! Recording one activity, once for ever.

use std::sync::Arc;

use pointbook_app::ports::{ActivityToRecord, NewTransaction, RecordActivityOutcome};
use pointbook_app::recording::{Overdraft, activity_outcome};
use pointbook_domain::{Timestamp, Transaction, UserId};

use super::told::{Told, ToldRecorder};
use super::user_state::Hold;
use crate::connection;
use crate::error::Outcome;
use crate::once::Plan;

/// An activity that may have to be recorded again, and whose transaction goes out with the answer.
pub(super) struct Recording {
    user_id: UserId,
    transaction: Arc<Transaction>,
    has_own_time: bool,
    recorded_at: Timestamp,
}

impl Recording {
    pub(super) fn of(activity: ActivityToRecord, recorded_at: Timestamp) -> Self {
        let ActivityToRecord { new: NewTransaction { user_id, transaction }, has_own_time } = activity;
        Self { user_id, transaction: transaction.into(), has_own_time, recorded_at }
    }

    pub(super) fn user_id(&self) -> &UserId {
        &self.user_id
    }

    pub(super) fn told(&self) -> Told<'_> {
        let Self { user_id, transaction, has_own_time: _, recorded_at } = self;
        Told { user_id, transaction, recorded_at: *recorded_at }
    }

    /// Records it unless it stands there already; it may not take more points than there are.
    pub(super) fn decide(&self, recorder: &mut ToldRecorder<'_>) -> Outcome<RecordActivityOutcome> {
        let Some(addition) = recorder.record(self.told(), Overdraft::Refused)? else {
            return Ok(RecordActivityOutcome::Conflict);
        };
        let user_points = recorder.balance(&self.user_id)?;
        Ok(activity_outcome(addition, &self.transaction, self.has_own_time, user_points))
    }
}

/// Plans to record one, however long its user has to be waited for.
pub(super) async fn plan<'d>(
    database: &'d connection::Transaction,
    tenant: &'d str,
    recording: &Recording,
) -> Outcome<Plan<'d, RecordActivityOutcome>> {
    let mut recorder = ToldRecorder::begin(database, tenant, &[recording.told()], Hold::Waiting).await?;
    let outcome = recording.decide(&mut recorder)?;
    Ok(Plan::new(outcome, recorder.finish().write(database, tenant)))
}
