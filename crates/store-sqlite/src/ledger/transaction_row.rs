//! A transaction and its columns.

use std::borrow::Cow;

use pointbook_domain::{
    Activity, ActivityType, Bonus, Bonuses, Points, SourceId, Transaction, TransactionId,
};
use serde::{Deserialize, Serialize};

use crate::error::Outcome;
use crate::row::{Record, timestamp, to_json};

/// Reads the columns `id`, `created_at`, `type`, `source_id`, `points`, `bonus_breakdown`, `title` and
/// `subtitle`, which stand in this order from column `first` on.
pub(super) fn read(record: &Record<'_>, first: usize) -> Outcome<Transaction> {
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

/// A bonus as it is stored.
#[derive(Serialize, Deserialize)]
struct BonusRow<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    points: i64,
    #[serde(borrow)]
    title: Cow<'a, str>,
}

/// What most transactions have.
const NO_BONUSES: &str = "[]";

/// The breakdown as it is stored.
pub(super) fn bonuses_to_json(bonuses: &Bonuses) -> Outcome<Cow<'static, str>> {
    if bonuses.breakdown().is_empty() {
        return Ok(NO_BONUSES.into());
    }
    let row = |Bonus { kind, points, title }: &Bonus| BonusRow {
        kind: Cow::Owned(kind.clone()),
        points: points.get(),
        title: Cow::Owned(title.clone()),
    };
    Ok(to_json(&bonuses.breakdown().iter().map(row).collect::<Vec<_>>())?.into())
}

/// Reads a breakdown as the interface serves it.
pub(super) fn bonuses_from_json(json: &str) -> Result<Bonuses, String> {
    if json == NO_BONUSES {
        return Ok(Bonuses::default());
    }
    let rows: Vec<BonusRow<'_>> = serde_json::from_str(json).map_err(|error| error.to_string())?;
    let bonus = |BonusRow { kind, points, title }| {
        let points = Points::new(points).map_err(|error| error.to_string())?;
        Ok(Bonus { kind: String::from(kind), points, title: String::from(title) })
    };
    let breakdown = rows.into_iter().map(bonus).collect::<Result<_, String>>()?;
    Bonuses::new(breakdown).map_err(|error| error.to_string())
}
