//! An activity that was recorded, as the back office sees it.

use pointbook_app::ports::RecordedActivity;
use serde::Serialize;

use super::point_history::TransactionView;

/// The transaction as the history shows it, and what it is known by.
#[derive(Serialize)]
pub(crate) struct ActivityView<'a> {
    #[serde(flatten)]
    transaction: TransactionView<'a>,
    id: &'a str,
    source_id: &'a str,
    seq: u64,
}

impl<'a> From<&'a RecordedActivity> for ActivityView<'a> {
    fn from(recorded: &'a RecordedActivity) -> Self {
        let RecordedActivity { transaction, seq, user_points: _ } = recorded;
        Self {
            transaction: (&**transaction).into(),
            id: transaction.id.as_str(),
            source_id: transaction.activity.source_id.as_str(),
            seq: *seq,
        }
    }
}
