//! Recording one activity, once for ever.

use std::sync::Arc;

use pointbook_app::ports::{ActivityToRecord, NewTransaction, RecordActivityOutcome};
use pointbook_app::recording::{Overdraft, activity_outcome};
use pointbook_domain::{Timestamp, Transaction, UserId};

use super::record::Recorder;
use crate::connection;
use crate::error::Outcome;

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
}

/// Records an activity that may not take more points than there are, unless it stands there already.
pub(super) async fn record(
    database: &connection::Transaction,
    tenant: &str,
    recording: &Recording,
) -> Outcome<RecordActivityOutcome> {
    let Recording { user_id, transaction, has_own_time, recorded_at } = recording;
    let mut recorder = Recorder::begin(database, tenant, user_id, *recorded_at).await?;
    let Some(addition) = recorder.record_told(transaction, Overdraft::Refused).await? else {
        return Ok(RecordActivityOutcome::Conflict);
    };
    let user_points = recorder.finish().await?;
    Ok(activity_outcome(addition, transaction, *has_own_time, user_points))
}
