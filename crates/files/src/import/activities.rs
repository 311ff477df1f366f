//! Imports activities: each row records an activity. One that is already in the ledger is skipped.

use pointbook_app::limits::{FUTURE_TOLERANCE_SECONDS, MAX_BONUS_KIND_CHARS, MAX_BONUSES, MAX_TITLE_CHARS};
use pointbook_app::ports::{RecordOutcome, UpsertOutcome};
use pointbook_app::{NewActivity, StoreResult, record_activities};
use pointbook_domain::{Activity, ActivityType, Bonus, Bonuses, Points, SourceId, Timestamp, UserId};

use super::Kind;
use super::cell::Cell;
use super::fields::Fields;
use super::kind::{Columns, RowKind, RowOutcome, Target};
use super::problems::Problems;

pub(crate) const ACTIVITY_COLUMNS: [&str; 8] =
    ["user_id", "type", "source_id", "points", "bonus_breakdown", "title", "subtitle", "created_at"];

pub(super) struct Activities;

impl RowKind for Activities {
    type Item = NewActivity;

    const KIND: Kind = Kind::Activities;
    const COLUMNS: Columns = Columns {
        known: &ACTIVITY_COLUMNS,
        required: &["user_id", "type", "source_id", "points", "title", "created_at"],
    };
    const BATCH_ROWS: usize = 10_000;

    fn check(mut fields: Fields<'_>, now: Timestamp) -> Result<NewActivity, Problems> {
        let user_id = fields.required("user_id", |cell| cell.parse(UserId::new));
        let kind = fields.required("type", |cell| cell.parse(ActivityType::new));
        let source_id = fields.required("source_id", |cell| cell.parse(SourceId::new));
        let points = fields.required("points", |cell| cell.integer(Points::new));
        let bonuses = fields.optional("bonus_breakdown", read_bonuses).unwrap_or_default();
        if let Some(Err(range)) = points.map(|points| points.checked_add(bonuses.total())) {
            fields.add("points", format!("with its bonuses {range}"));
        }
        let title = fields.required("title", |cell| cell.title(MAX_TITLE_CHARS));
        let subtitle = fields.optional("subtitle", |cell| cell.text(MAX_TITLE_CHARS)).unwrap_or_default();
        let created_at = fields.required("created_at", |cell| read_created_at(cell, now));
        fields.finish(|| {
            let (kind, source_id, points, title) = (kind?, source_id?, points?, title?);
            let activity =
                Activity { kind, source_id, points, bonuses, title, subtitle, created_at: created_at? };
            Some(NewActivity { user_id: user_id?, activity })
        })
    }

    async fn store(&mut self, target: Target<'_>, items: Vec<NewActivity>) -> StoreResult<Vec<RowOutcome>> {
        let execution = record_activities(&target.context(), items).await?;
        Ok(execution.without_key()?.into_iter().map(row_outcome).collect())
    }
}

fn row_outcome(outcome: RecordOutcome) -> RowOutcome {
    match outcome {
        RecordOutcome::Recorded => Ok(UpsertOutcome::Created),
        RecordOutcome::AlreadyRecorded => Ok(UpsertOutcome::Unchanged),
        RecordOutcome::UnknownType(kind) => {
            Err(format!("type: the tenant has no activity type {:?}", kind.as_str()))
        }
        RecordOutcome::Conflict => Err("source_id: recorded before with other content".to_owned()),
        RecordOutcome::OutOfRange => Err("points: the balance would be out of range".to_owned()),
    }
}

fn read_created_at(cell: Cell<'_>, now: Timestamp) -> Result<Timestamp, String> {
    let time = cell.timestamp()?;
    if time > now.plus_seconds(FUTURE_TOLERANCE_SECONDS) {
        Err("must not be in the future".to_owned())
    } else {
        Ok(time)
    }
}

fn read_bonuses(cell: Cell<'_>) -> Result<Bonuses, Problems> {
    Bonuses::new(cell.list(MAX_BONUSES, read_bonus)?).map_err(|error| error.to_string().into())
}

fn read_bonus(cell: Cell<'_>) -> Result<Bonus, Problems> {
    let mut fields = Fields::of_object(&["type", "points", "title"], cell)?;
    let kind = fields.required("type", |cell| cell.title(MAX_BONUS_KIND_CHARS));
    let points = fields.required("points", |cell| cell.integer(Points::new));
    let title = fields.required("title", |cell| cell.text(MAX_TITLE_CHARS));
    fields.finish(|| Some(Bonus { kind: kind?, points: points?, title: title? }))
}
