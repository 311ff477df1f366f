//! Imports activities: each row records an activity. One that is already in the ledger is skipped.

use std::hash::Hash;

use pointbook_domain::attributes::MAX_ATTRIBUTES;
use pointbook_domain::json::Json;
use pointbook_domain::points::OutOfRange;
use pointbook_domain::{
    Activity, ActivityType, Attributes, Bonus, Bonuses, Points, SourceId, Timestamp, UserId,
};
use pointbook_points::earning::dry_run::{TriedActivities, try_activities};
use pointbook_points::earning::record_activities::{NewActivity, record_activities};
use pointbook_store::StoreResult;
use pointbook_store::limits::{FUTURE_TOLERANCE_SECONDS, MAX_BONUS_KIND_CHARS, MAX_BONUSES, MAX_TITLE_CHARS};
use pointbook_store::ports::{RecordOutcome, UpsertOutcome};

use super::cell::Cell;
use super::dry_run::{Tried, TriedRows};
use super::fields::Fields;
use super::kind::{Columns, RowKind, RowOutcome, Target};
use super::problems::{Problems, quoted};
use super::{Kind, NewUsers, Rule};

/// The columns of activities, in the order of an export.
pub const ACTIVITY_COLUMNS: [&str; 9] = [
    "user_id",
    "type",
    "source_id",
    "points",
    "bonus_breakdown",
    "title",
    "subtitle",
    "created_at",
    "attributes",
];

pub(super) struct Activities {
    /// Whether campaigns add bonuses to the activities without `bonus_breakdown`.
    apply_rules: bool,
    /// `None` unless the import only tries the rows.
    tried: Option<TriedRows<NewActivity>>,
    /// Those of a dry run.
    pub(super) new_users: NewUsers,
    /// Refused rows that no entry of the audit log counts yet. A commit that records nothing has no entry.
    refused: usize,
}

impl Activities {
    pub(super) fn new(apply_rules: bool, is_dry: bool) -> Self {
        let tried = is_dry.then(TriedRows::default);
        Self { apply_rules, tried, new_users: NewUsers::default(), refused: 0 }
    }
}

impl Tried for NewActivity {
    fn key(&self) -> impl Hash {
        (&self.user_id, &self.activity.kind, &self.activity.source_id)
    }

    fn content(&self) -> impl Hash {
        &self.activity
    }

    fn after(&self, is_same: bool) -> RowOutcome {
        row_outcome(if is_same { RecordOutcome::AlreadyRecorded } else { RecordOutcome::Conflict })
    }
}

impl RowKind for Activities {
    type Item = NewActivity;

    const KIND: Kind = Kind::Activities;
    const COLUMNS: Columns = Columns {
        known: &ACTIVITY_COLUMNS,
        required: &["user_id", "type", "source_id", "points", "title", "created_at"],
    };
    const BATCH_ROWS: usize = 10_000;

    fn check(mut fields: Fields<'_>, now: Timestamp) -> Result<NewActivity, Problems> {
        let user_id = fields.required("user_id", |cell| cell.new_id(UserId::new));
        let kind = fields
            .required("type", |cell| cell.parse(|text| ActivityType::new(text).map_err(|_| Rule::NotAName)));
        let source_id = fields.required("source_id", |cell| cell.new_id(SourceId::new));
        let points = fields.required("points", |cell| cell.integer(Points::new));
        let has_breakdown = fields.cell("bonus_breakdown").is_some();
        let bonuses = fields.optional("bonus_breakdown", read_bonuses).unwrap_or_default();
        let total = points.map(|points| points.checked_add(bonuses.total()));
        if let Some(Err(OutOfRange { min, max })) = total {
            fields.add("points", Rule::PointsOutOfRange { min, max });
        }
        let title = fields.required("title", |cell| cell.title(MAX_TITLE_CHARS));
        let subtitle = fields.optional("subtitle", |cell| cell.text(MAX_TITLE_CHARS)).unwrap_or_default();
        let created_at = fields.required("created_at", |cell| read_created_at(cell, now));
        let attributes = fields.optional("attributes", read_attributes).unwrap_or_default();
        fields.finish(|| {
            let (kind, source_id, points, title) = (kind?, source_id?, points?, title?);
            let activity = Activity {
                kind,
                source_id,
                points,
                bonuses,
                title,
                subtitle,
                created_at: created_at?,
                attributes,
            };
            // The campaigns are asked only with `--apply-rules`, when the row is stored.
            let (user_id, asks_campaigns) = (user_id?, !has_breakdown);
            Some(NewActivity { user_id, activity, has_breakdown, asks_campaigns })
        })
    }

    fn note_refused(&mut self, rows: usize) {
        self.refused += rows;
    }

    async fn store(
        &mut self,
        target: Target<'_>,
        mut items: Vec<NewActivity>,
    ) -> StoreResult<Vec<RowOutcome>> {
        for item in &mut items {
            item.asks_campaigns &= self.apply_rules;
        }
        if let Some(tried) = &mut self.tried {
            let (known, new) = tried.split(items);
            let TriedActivities { outcomes, new_users } =
                try_activities(&target.context::<()>(), new.clone()).await?;
            for user_id in new_users {
                self.new_users.note(user_id);
            }
            return Ok(tried.join(known, &new, outcomes.into_iter().map(row_outcome)));
        }
        let outcomes = record_activities(&target.context(), items, self.refused).await?.without_key()?;
        let is_logged = outcomes.contains(&RecordOutcome::Recorded);
        let known = |outcome: &&RecordOutcome| {
            matches!(outcome, RecordOutcome::Recorded | RecordOutcome::AlreadyRecorded)
        };
        let refused = outcomes.len() - outcomes.iter().filter(known).count();
        self.refused = if is_logged { 0 } else { self.refused + refused };
        Ok(outcomes.into_iter().map(row_outcome).collect())
    }
}

fn row_outcome(outcome: RecordOutcome) -> RowOutcome {
    let (path, rule) = match outcome {
        RecordOutcome::Recorded => return Ok(UpsertOutcome::Created),
        RecordOutcome::AlreadyRecorded => return Ok(UpsertOutcome::Unchanged),
        RecordOutcome::UnknownType(kind) => {
            ("type", Rule::UnknownType { name: format!("{:?}", kind.as_str()) })
        }
        RecordOutcome::Conflict => ("source_id", Rule::Recorded),
        RecordOutcome::OutOfRange => ("points", Rule::Balance),
    };
    let mut problems = Problems::default();
    problems.add(path, rule);
    Err(problems)
}

fn read_created_at(cell: Cell<'_>, now: Timestamp) -> Result<Timestamp, Rule> {
    let time = cell.timestamp()?;
    if time > now.plus_seconds(FUTURE_TOLERANCE_SECONDS) { Err(Rule::Future) } else { Ok(time) }
}

fn read_bonuses(cell: Cell<'_>) -> Result<Bonuses, Problems> {
    Bonuses::new(cell.list(MAX_BONUSES, read_bonus)?).map_err(|error| Rule::from(error).into())
}

fn read_bonus(cell: Cell<'_>) -> Result<Bonus, Problems> {
    let mut fields = Fields::of_object(&["type", "points", "title"], cell)?;
    let kind = fields.required("type", |cell| cell.title(MAX_BONUS_KIND_CHARS));
    let points = fields.required("points", |cell| cell.integer(Points::new));
    let title = fields.required("title", |cell| cell.text(MAX_TITLE_CHARS));
    fields.finish(|| Some(Bonus { kind: kind?, points: points?, title: title? }))
}

fn read_attributes(cell: Cell<'_>) -> Result<Attributes, Problems> {
    let members = cell.members()?;
    if members.len() > MAX_ATTRIBUTES {
        return Err(Rule::TooManyNames { max: MAX_ATTRIBUTES }.into());
    }
    let (mut problems, mut pairs) = (Problems::default(), Vec::new());
    for (name, value) in members.iter() {
        if Attributes::check_name(name).is_err() {
            problems.add("", Rule::AttributeName { name: quoted(name) });
        }
        match read_attribute(name, value) {
            Ok(value) => pairs.push((name.clone(), value)),
            Err(rule) => problems.add("", rule),
        }
    }
    if problems.is_empty() {
        Attributes::new(pairs).map_err(|error| Rule::from(error).into())
    } else {
        Err(problems)
    }
}

fn read_attribute(name: &str, value: &Json) -> Result<String, Rule> {
    let name = || quoted(name);
    match value {
        Json::Text(text) if text.contains('\0') => Err(Rule::AttributeNul { name: name() }),
        Json::Text(text) if Attributes::check_value(text).is_err() => {
            Err(Rule::AttributeValue { name: name() })
        }
        Json::Text(text) => Ok(text.clone()),
        _ => Err(Rule::AttributeNotText { name: name() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(members: &str) -> Result<NewActivity, String> {
        let text = format!(
            r#"{{"user_id":"ann","type":"code","source_id":"1","points":5,"title":"T","created_at":"1970-01-01T00:00:00Z"{members}}}"#
        );
        let json = Json::parse(text.as_bytes()).unwrap();
        let fields = Fields::of_object(&ACTIVITY_COLUMNS, Cell::Json(&json)).unwrap();
        Activities::check(fields, Timestamp::from_micros(0).unwrap()).map_err(|problems| problems.to_string())
    }

    fn attributes(value: &str) -> Result<Vec<(String, String)>, String> {
        let new = row(&format!(r#","attributes":{value}"#))?;
        let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        Ok(new.activity.attributes.iter().map(owned).collect())
    }

    #[test]
    fn a_row_without_bonuses_asks_campaigns() {
        for (members, has_breakdown) in [
            ("", false),
            (r#","bonus_breakdown":null"#, false),
            (r#","bonus_breakdown":[]"#, true),
            (r#","bonus_breakdown":[{"type":"x","points":1,"title":"X"}]"#, true),
        ] {
            let row = row(members).unwrap();
            assert_eq!((row.has_breakdown, row.asks_campaigns), (has_breakdown, !has_breakdown), "{members}");
        }
        let cells = |cell| [("bonus_breakdown", cell), ("title", "T")].into_iter();
        let has = |cell| Fields::of_csv(cells(cell)).cell("bonus_breakdown").is_some();
        assert_eq!((has(""), has("[]")), (false, true));
    }

    #[test]
    fn attributes_are_an_object_of_strings() {
        let pairs = [("sku", "A1"), ("store", "tōkyō")].map(|(name, value)| (name.into(), value.into()));
        assert_eq!(attributes(r#"{"store":"tōkyō","sku":"A1"}"#), Ok(pairs.into()));
        assert_eq!(attributes("{}"), Ok(Vec::new()));
        assert_eq!(attributes("null"), Ok(Vec::new()));
        assert_eq!(read_attributes(Cell::Csv(r#" {"sku":"A1"}"#)).unwrap().get("sku"), Some("A1"));
        assert!(read_attributes(Cell::Csv("{}")).unwrap().is_empty());
    }

    #[test]
    fn every_wrong_attribute_is_named() {
        let refused = |value| attributes(value).unwrap_err();
        assert_eq!(refused("[]"), "attributes: must be an object with strings");
        assert_eq!(
            refused(r#"{"SKU":"A1","size":5,"store":"","old":null}"#),
            "attributes: the name \"SKU\" must have 1 to 32 characters of a-z, 0-9, _ and -; \
             attributes: the value of \"size\" must be a string; \
             attributes: the value of \"store\" must have 1 to 200 characters, and no U+0000; \
             attributes: the value of \"old\" must be a string"
        );
        assert_eq!(refused(r#"{"a":"1","a":"2"}"#), "attributes: has the name \"a\" twice");
        let many: Vec<String> = (0..17).map(|number| format!(r#""n{number}":1"#)).collect();
        let many = format!("{{{}}}", many.join(","));
        assert_eq!(refused(&many), "attributes: must not have more than 16 names");
        for (cell, rule) in
            [("sku=A1", "is not valid JSON: "), ("\"A1\"", "must be a JSON object with strings")]
        {
            let problems = read_attributes(Cell::Csv(cell)).unwrap_err().to_string();
            assert!(problems.starts_with(rule), "{problems}");
        }
    }
}
