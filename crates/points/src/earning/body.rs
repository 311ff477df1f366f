//! An activity from a back office, alone or in a line of an import.

use pointbook_domain::errors::{FieldCode, FieldErrors, Rule};
use pointbook_domain::{
    Activity, ActivityType, Attributes, AttributesError, Bonus, Bonuses, BonusesError, SourceId,
    TenantSettings, Timestamp,
};
use pointbook_http::body::{
    BodyFields, Reader, choice, list, new_id, object, past_date_time, points, text, texts, title,
};
use pointbook_http::describe::Schema;
use pointbook_store::limits::{FUTURE_TOLERANCE_SECONDS, MAX_BONUS_KIND_CHARS, MAX_BONUSES, MAX_TITLE_CHARS};

use crate::earning::view::{SOURCE_ID, activity_type_schema, attributes_schema};

/// An activity, and whether it has its own time.
#[derive(Debug, PartialEq, Eq)]
pub struct ActivityBody {
    pub activity: Activity,
    pub has_own_time: bool,
    /// Whether it has a `bonus_breakdown`, perhaps an empty one.
    pub has_breakdown: bool,
    /// Whether campaigns add bonuses: the request has no `bonus_breakdown`, or asks for it.
    pub asks_campaigns: bool,
}

/// Reads the fields of an activity. Without its own time, it happened at `now`.
pub fn read_activity(
    fields: &mut BodyFields<'_>,
    settings: &TenantSettings,
    now: Timestamp,
) -> Option<ActivityBody> {
    let created_at = |fields: &mut BodyFields<'_>| {
        let about = "With `Z` or an offset. At most 5 minutes in the future. Default: now.";
        fields.optional("created_at", past_date_time(latest(now)).about(about))
    };
    let rules = |fields: &mut BodyFields<'_>| {
        let about = "`add`: campaigns add bonuses to those of `bonus_breakdown`. Without it, they add bonuses only when there is no \
                     `bonus_breakdown`.";
        let add = choice(|text| (text == "add").then_some(()));
        fields.not_null("rules", add.with_schema(|| Schema::one_of(["add"])).about(about)).is_some()
    };
    read(fields, settings, now, (created_at, rules))
}

/// Reads the fields of an activity in a line of an import. It has its own time, because a repeated line must be the same activity at any
/// time. It asks no campaigns and so has no `rules`.
pub fn read_activity_line(
    fields: &mut BodyFields<'_>,
    settings: &TenantSettings,
    now: Timestamp,
) -> Option<ActivityBody> {
    let created_at = |fields: &mut BodyFields<'_>| {
        let about = "With `Z` or an offset. At most 5 minutes in the future.";
        fields.required("created_at", past_date_time(latest(now)).about(about))
    };
    read(fields, settings, now, (created_at, |_| false))
}

/// The latest time of an activity that arrives now.
fn latest(now: Timestamp) -> Timestamp {
    now.plus_seconds(FUTURE_TOLERANCE_SECONDS)
}

/// `created_at` reads the time, and `adds` whether campaigns add bonuses to those of the request.
fn read(
    fields: &mut BodyFields<'_>,
    settings: &TenantSettings,
    now: Timestamp,
    (created_at, adds): (
        impl FnOnce(&mut BodyFields<'_>) -> Option<Timestamp>,
        impl FnOnce(&mut BodyFields<'_>) -> bool,
    ),
) -> Option<ActivityBody> {
    let known = |text: &str| ActivityType::new(text).ok().filter(|kind| settings.knows_activity_type(kind));
    let kind = fields.required("type", choice(known).with_schema(activity_type_schema));
    let source_id = fields.required("source_id", new_id(SourceId::new).about(SOURCE_ID));
    let points = fields.required("points", points().about("Negative points reduce the balance."));
    let title = fields.required("title", title(MAX_TITLE_CHARS));
    let subtitle = fields.optional("subtitle", text(MAX_TITLE_CHARS));
    let created_at = created_at(fields);
    let has_breakdown = fields.has("bonus_breakdown");
    let bonuses = read_bonuses(fields);
    let adds = adds(fields);
    let attributes = read_attributes(fields);
    if let (Some(points), Some(bonuses)) = (points, &bonuses)
        && let Err(bounds) = points.checked_add(bonuses.total())
    {
        fields.refuse("points", Rule::new(FieldCode::OutOfRange, format!("with the bonuses {bounds}")));
    }
    let activity = Activity {
        kind: kind?,
        source_id: source_id?,
        points: points?,
        bonuses: bonuses?,
        title: title?,
        subtitle: subtitle.unwrap_or_default(),
        created_at: created_at.unwrap_or(now),
        attributes: attributes?,
    };
    let (has_own_time, asks_campaigns) = (created_at.is_some(), adds || !has_breakdown);
    Some(ActivityBody { activity, has_own_time, has_breakdown, asks_campaigns })
}

/// The attributes. `None` when they were refused.
fn read_attributes(fields: &mut BodyFields<'_>) -> Option<Attributes> {
    const NAME: &str = "attributes";
    let about = "What campaigns may ask for, such as `sku` or `store`. At most 16.";
    let pairs = fields.optional(NAME, texts().with_schema(attributes_schema).about(about));
    if pairs.is_none() && fields.has(NAME) {
        return None;
    }
    let read = Attributes::new(pairs.unwrap_or_default());
    read.map_err(|error| match error {
        AttributesError::TooMany => fields.refuse(NAME, Rule::new(FieldCode::TooMany, error.to_string())),
        AttributesError::Name(name, rule) => {
            fields.refuse_entry(NAME, &name, FieldCode::WrongForm, &format!("name {rule}"));
        }
        AttributesError::Value(name, rule) => {
            fields.refuse_entry(NAME, &name, FieldCode::WrongForm, &rule.to_string());
        }
        AttributesError::Duplicate(name) => {
            fields.refuse_entry(NAME, &name, FieldCode::DuplicateField, "field stands twice");
        }
    })
    .ok()
}

/// The bonuses. `None` when they were refused.
fn read_bonuses(fields: &mut BodyFields<'_>) -> Option<Bonuses> {
    const NAME: &str = "bonus_breakdown";
    let bonus = object(read_bonus).with_schema(|| Schema::named("NewBonus"));
    let bonuses = list(MAX_BONUSES, bonus).about("Points on top of the base points, with the reason.");
    let breakdown = fields.optional(NAME, bonuses);
    match Bonuses::new(breakdown.unwrap_or_default()) {
        Ok(bonuses) => Some(bonuses),
        Err(rule) => {
            let code = match rule {
                BonusesError::Negative => FieldCode::Negative,
                BonusesError::OutOfRange(_) => FieldCode::OutOfRange,
            };
            fields.refuse(NAME, Rule::new(code, rule.to_string()));
            None
        }
    }
}

/// Reads a bonus of an activity, the schema `NewBonus`.
pub fn read_bonus(mut fields: BodyFields<'_>) -> Result<Bonus, FieldErrors> {
    let kind = title(MAX_BONUS_KIND_CHARS).about("`birthday`, `campaign`, or any other kind.");
    let kind = fields.required("type", kind);
    // `Bonuses` refuses negative points.
    let points = fields.required("points", points().with_schema(Schema::price));
    let title = fields.required("title", text(MAX_TITLE_CHARS));
    fields.finish(|| Some(Bonus { kind: kind?, points: points?, title: title? }))
}

#[cfg(test)]
mod tests {
    use pointbook_testkit::read_text;

    use super::*;

    const NOON: i64 = 1_709_208_000_000_000;

    fn read_one(text: &str) -> Result<ActivityBody, String> {
        let now = Timestamp::from_micros(NOON).unwrap();
        let read = read_text(text, |mut fields| {
            let activity = read_activity(&mut fields, &TenantSettings::default(), now);
            fields.finish(|| activity)
        });
        read.map_err(|errors| serde_json::to_string(&errors).unwrap().replace("],", "],\n"))
    }

    #[test]
    fn an_activity_happens_now_unless_it_says_when() {
        let body = read_one(r#"{"type":"code","source_id":"c-1","points":50,"title":"Scan"}"#).unwrap();
        assert_eq!((body.activity.created_at.as_micros(), body.has_own_time), (NOON, false));
        let (created_at, bonuses) = (
            "2024-02-29T13:59:59.5+02:00",
            r#"[{"type":"birthday","points":5,"title":""},{"type":"x","points":7,"title":"X"}]"#,
        );
        let text = format!(
            r#"{{"type":"quiz","source_id":"c-1","points":-50,"title":"Quiz","subtitle":"Tea","created_at":"{created_at}","bonus_breakdown":{bonuses}}}"#
        );
        let body = read_one(&text).unwrap();
        assert_eq!((body.activity.created_at.as_micros(), body.has_own_time), (NOON - 500_000, true));
        assert_eq!((body.activity.bonuses.total().get(), &*body.activity.subtitle), (12, "Tea"));
    }

    #[test]
    fn an_activity_may_be_ahead_of_this_clock_by_five_minutes() {
        let at = |time: &str| {
            let text = format!(
                r#"{{"type":"code","source_id":"c","points":1,"title":"t","created_at":"2024-02-29T{time}Z"}}"#
            );
            read_one(&text).map(|_| ())
        };
        assert_eq!(at("12:05:00"), Ok(()));
        assert_eq!(
            at("12:05:00.000001").unwrap_err(),
            r#"{"created_at":["The created at must not be in the future."]}"#
        );
    }

    #[test]
    fn only_a_single_activity_has_rules() {
        let text = r#"{"type":"code","source_id":"c","points":1,"title":"t","created_at":"2024-02-29T12:00:00Z",
            "bonus_breakdown":[],"rules":"add"}"#;
        assert!(read_one(text).unwrap().asks_campaigns);
        let (settings, now) = (TenantSettings::default(), Timestamp::from_micros(NOON).unwrap());
        let line = read_text(text, |mut fields| {
            let activity = read_activity_line(&mut fields, &settings, now);
            fields.finish(|| activity)
        });
        let errors = serde_json::to_string(&line.unwrap_err()).unwrap();
        assert_eq!(errors, r#"{"rules":["The rules field is not known."]}"#);
    }

    #[test]
    fn every_bad_field_is_reported_at_once_and_in_order() {
        let errors = read_one(
            r#"{"bonus_breakdown":[{"type":"","points":1.5,"kind":"x"},3],"created_at":"soon","subtitle":7,"title":"",
            "points":"5","source_id":null,"type":"dance","user":"u"}"#,
        );
        insta::assert_snapshot!(errors.unwrap_err(), @r#"
        {"type":["The selected type is invalid."],
        "source_id":["The source id field is required."],
        "points":["The points must be an integer."],
        "title":["The title field is required."],
        "subtitle":["The subtitle must be a string."],
        "created_at":["The created at must be a date-time with seconds and with Z or an offset, such as 2026-05-05T07:30:00Z."],
        "bonus_breakdown.0.type":["The bonus breakdown.0.type field is required."],
        "bonus_breakdown.0.points":["The bonus breakdown.0.points must be an integer."],
        "bonus_breakdown.0.title":["The bonus breakdown.0.title field is required."],
        "bonus_breakdown.0.kind":["The bonus_breakdown.0.kind field is not known."],
        "bonus_breakdown.1":["The bonus breakdown.1 must be an object."],
        "user":["The user field is not known."]}
        "#);
    }

    #[test]
    fn amounts_stay_within_their_bounds_with_their_bonuses() {
        let with = |points: i64, bonus: i64| {
            read_one(&format!(
                r#"{{"type":"code","source_id":"c","points":{points},"title":"t","bonus_breakdown":[{{"type":"x","points":{bonus},"title":""}}]}}"#
            ))
            .map(|_| ())
        };
        assert_eq!(with(9_007_199_254_740_990, 1), Ok(()));
        assert_eq!(
            with(9_007_199_254_740_991, 1).unwrap_err(),
            r#"{"points":["The points with the bonuses must be between -9007199254740991 and 9007199254740991."]}"#
        );
        assert_eq!(
            with(9_007_199_254_740_992, 1).unwrap_err(),
            r#"{"points":["The points must be between -9007199254740991 and 9007199254740991."]}"#
        );
        assert_eq!(
            with(1, -1).unwrap_err(),
            r#"{"bonus_breakdown":["The bonus breakdown must not have negative points."]}"#
        );
    }
}
