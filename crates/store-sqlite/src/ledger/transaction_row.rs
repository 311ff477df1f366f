//! A transaction and its columns.

use pointbook_app::stored_bonuses::bonuses_from_json;
use pointbook_domain::{Activity, ActivityType, Points, SourceId, Transaction, TransactionId};

use crate::error::Outcome;
use crate::row::{Record, timestamp};

/// Reads the columns `id`, `created_at`, `type`, `source_id`, `points`, `bonus_breakdown`, `title` and
/// `subtitle`, which stand in this order from column `first` on.
pub(crate) fn read(record: &Record<'_>, first: usize) -> Outcome<Transaction> {
    Ok(Transaction {
        id: record.read(first, |id: Box<str>| TransactionId::new(id))?,
        activity: Activity {
            created_at: record.read(first + 1, timestamp)?,
            kind: record.parse(first + 2, ActivityType::new)?,
            source_id: record.read(first + 3, |id: Box<str>| SourceId::new(id))?,
            points: record.read(first + 4, Points::new)?,
            bonuses: record.parse(first + 5, bonuses_from_json)?,
            title: record.get(first + 6)?,
            subtitle: record.get(first + 7)?,
        },
    })
}
