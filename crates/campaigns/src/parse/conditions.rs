//! Reads the conditions of a campaign.

use pointbook_domain::attributes::MAX_ATTRIBUTES;
use pointbook_domain::{ActivityType, Attributes, UserId};

use super::field::Field;
use super::object::Object;
use super::rule::FaultRule;
use super::sizes::{
    MAX_ATTRIBUTE_VALUES, MAX_HOUR_WINDOWS, MAX_MEMBERS, MAX_ORDINAL, MAX_SOURCE_PREFIX_CHARS,
    MAX_SOURCE_PREFIXES, MAX_TYPES, MAX_WINDOWS,
};
use super::windows::{read_day_window, read_hour_window};
use crate::birthday::{BirthdayCondition, BirthdayPays, BirthdayWindow};
use crate::campaign::RunTime;
use crate::conditions::{AttributeCondition, Conditions, Nth, OrdinalCondition};
use crate::counters::OrdinalOf;
use crate::weekday::{Weekday, Weekdays};

const MEMBERS: &[&str] = &[
    "types",
    "windows",
    "source_prefixes",
    "attributes",
    "weekdays",
    "hours",
    "min_points",
    "ordinal",
    "member_since",
    "member_before",
    "members",
    "birthday",
];

/// Reads the conditions. A window of days must meet the time in which the campaign runs.
pub(super) fn read_conditions(field: &Field<'_>, run: RunTime) -> Conditions {
    let Some(object) = Object::read(field, MEMBERS) else {
        return Conditions::default();
    };
    let field = |name| object.field(name);
    let mut conditions = Conditions {
        types: field("types").set(MAX_TYPES, read_type),
        windows: field("windows").set(MAX_WINDOWS, |window| read_day_window(window, run)),
        source_prefixes: field("source_prefixes")
            .set(MAX_SOURCE_PREFIXES, |prefix| prefix.line(MAX_SOURCE_PREFIX_CHARS)),
        attributes: read_attributes(&field("attributes")),
        weekdays: read_weekdays(&field("weekdays")),
        hours: field("hours").set(MAX_HOUR_WINDOWS, read_hour_window),
        min_points: field("min_points").points(),
        ordinal: read_ordinal(&field("ordinal")),
        ..Conditions::default()
    };
    read_member_conditions(&object, &mut conditions);
    conditions
}

fn read_member_conditions(object: &Object<'_>, conditions: &mut Conditions) {
    conditions.member_since = object.field("member_since").timestamp();
    let before = object.field("member_before");
    conditions.member_before = before.timestamp();
    if let (Some(since), Some(until)) = (conditions.member_since, conditions.member_before)
        && since >= until
    {
        before.refuse::<()>(FaultRule::BeforeSince);
    }
    conditions.members = object.field("members").set(MAX_MEMBERS, |member| {
        member.form(|text| UserId::new(text), |rule, got| FaultRule::NotAnId { rule, got })
    });
    conditions.birthday = read_birthday(&object.field("birthday"));
}

fn read_type(field: &Field<'_>) -> Option<ActivityType> {
    let kind = field.activity_type()?;
    if kind.is_order() {
        return field.refuse(FaultRule::OrderType);
    }
    Some(kind)
}

/// Sorted by name.
fn read_attributes(field: &Field<'_>) -> Vec<AttributeCondition> {
    let entries = field.entries(MAX_ATTRIBUTES);
    let conditions = entries.iter().map(|(name, values)| {
        if Attributes::check_name(name).is_err() {
            values.refuse::<()>(FaultRule::AttributeName);
        }
        let read = |text: &str| Attributes::check_value(text).map(|()| text.to_owned());
        let value = |value: &Field<'_>| value.form(read, |_, got| FaultRule::AttributeValue { got });
        AttributeCondition { name: (*name).to_owned(), values: values.set(MAX_ATTRIBUTE_VALUES, value) }
    });
    let mut conditions: Vec<_> = conditions.collect();
    conditions.sort_by(|one, other| one.name.cmp(&other.name));
    conditions
}

fn read_weekdays(field: &Field<'_>) -> Option<Weekdays> {
    let days = field.set(Weekday::ALL.len(), |field| field.choice(Weekday::ALL, Weekday::as_str));
    (!days.is_empty()).then(|| Weekdays::new(days))
}

fn read_ordinal(field: &Field<'_>) -> Option<OrdinalCondition> {
    let object = Object::read(field, &["first", "every", "of"])?;
    let (first, every) = (object.field("first"), object.field("every"));
    let of = object.field("of").choice(OrdinalOf::ALL, OrdinalOf::as_str).unwrap_or(OrdinalOf::Type);
    let nth = match (first.value, every.value) {
        (Some(_), None) => read_first(&first),
        (None, Some(_)) => read_every(&every),
        (None, None) => field.refuse(FaultRule::NoOrdinal),
        (Some(_), Some(_)) => {
            read_first(&first);
            read_every(&every);
            field.refuse(FaultRule::TwoOrdinals)
        }
    };
    Some(OrdinalCondition { nth: nth?, of })
}

fn read_first(field: &Field<'_>) -> Option<Nth> {
    if field.boolean()? { Some(Nth::First) } else { field.refuse(FaultRule::NotTrue) }
}

fn read_every(field: &Field<'_>) -> Option<Nth> {
    let number = field.integer(1..=MAX_ORDINAL)?;
    u32::try_from(number).ok().map(Nth::Every)
}

fn read_birthday(field: &Field<'_>) -> Option<BirthdayCondition> {
    let object = Object::read(field, &["window", "pays"])?;
    Some(BirthdayCondition {
        window: object
            .field("window")
            .choice(BirthdayWindow::ALL, BirthdayWindow::as_str)
            .unwrap_or(BirthdayWindow::Day),
        pays: object
            .field("pays")
            .choice(BirthdayPays::ALL, BirthdayPays::as_str)
            .unwrap_or(BirthdayPays::First),
    })
}
