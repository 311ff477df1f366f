//! Recording one activity, once for ever.

use std::sync::Arc;

use pointbook_app::ports::{ActivityToRecord, NewTransaction, RecordActivityOutcome, RecordedActivity};
use pointbook_domain::{Activity, Points, Timestamp, Transaction, UserId};

use super::record::{Addition, Overdraft, Recorder, Refusal};
use super::transaction_row::StoredTransaction;
use crate::error::Outcome;

/// An activity as the writing thread holds it: it may have to be recorded again, and its transaction
/// goes out with the answer.
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
pub(super) fn record(
    database: &rusqlite::Transaction<'_>,
    tenant: &str,
    recording: &Recording,
) -> Outcome<RecordActivityOutcome> {
    let Recording { user_id, transaction, has_own_time, recorded_at } = recording;
    let mut recorder = Recorder::begin(database, tenant, user_id, *recorded_at)?;
    let Some(addition) = recorder.record_told(transaction, Overdraft::Refused)? else {
        return Ok(RecordActivityOutcome::Conflict);
    };
    let user_points = recorder.finish()?;
    Ok(match addition {
        Addition::Added { seq } => {
            RecordActivityOutcome::Recorded(recorded(transaction.clone(), seq, user_points))
        }
        Addition::StoodThere(StoredTransaction { seq, transaction: stored }) => {
            if is_same(&stored.activity, &transaction.activity, *has_own_time) {
                RecordActivityOutcome::AlreadyRecorded(recorded(stored.into(), seq, user_points))
            } else {
                RecordActivityOutcome::Conflict
            }
        }
        Addition::Refused(Refusal::TooFewPoints) => RecordActivityOutcome::TooFewPoints,
        Addition::Refused(Refusal::OutOfRange) => RecordActivityOutcome::OutOfRange,
    })
}

fn recorded(transaction: Arc<Transaction>, seq: u64, user_points: Points) -> RecordedActivity {
    RecordedActivity { transaction, seq, user_points }
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
