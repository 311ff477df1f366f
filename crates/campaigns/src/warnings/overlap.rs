//! Whether two campaigns can match the same activity.

use pointbook_domain::Timestamp;

use crate::campaign::{Campaign, RunTime};
use crate::conditions::{AttributeCondition, Conditions, DayWindow, HourWindow, Nth, OrdinalCondition};
use crate::zones;

/// Whether no pair of conditions of two campaigns excludes each other. Birthdays exclude nothing.
pub(super) fn can_match_together(one: &Campaign, other: &Campaign) -> bool {
    let (mine, others) = (&one.conditions, &other.conditions);
    meet(period(one.run), period(other.run))
        && can_be_inside(&mine.windows, other.run)
        && can_be_inside(&others.windows, one.run)
        && can_share_sorted(&mine.types, &others.types)
        && can_share(&mine.windows, &others.windows, |one, other| days_meet(*one, *other))
        && can_share(&mine.hours, &others.hours, |one, other| minutes_meet(*one, *other))
        && can_share_sorted(&mine.members, &others.members)
        && can_share(&mine.source_prefixes, &others.source_prefixes, |one, other| extend(one, other))
        && mine.weekdays.zip(others.weekdays).is_none_or(|(one, other)| one.shares_a_day_with(other))
        && mine.attributes.iter().all(|attribute| allows_value(&others.attributes, attribute))
        && meet(member_time(mine), member_time(others))
        && mine.ordinal.zip(others.ordinal).is_none_or(|(one, other)| ordinals_meet(one, other))
}

/// A half-open time without a bound where it has none.
type Times = (Timestamp, Option<Timestamp>);

fn period(run: RunTime) -> Times {
    (run.starts_at.unwrap_or(Timestamp::MIN), run.ends_at)
}

fn member_time(conditions: &Conditions) -> Times {
    (conditions.member_since.unwrap_or(Timestamp::MIN), conditions.member_before)
}

fn meet(one: Times, other: Times) -> bool {
    one.1.is_none_or(|end| other.0 < end) && other.1.is_none_or(|end| one.0 < end)
}

/// Whether one of the lists is not set, or an item of each matches.
fn can_share<T>(one: &[T], other: &[T], matches: impl Fn(&T, &T) -> bool) -> bool {
    let matches_any = |item: &T| other.iter().any(|candidate| matches(item, candidate));
    one.is_empty() || other.is_empty() || one.iter().any(matches_any)
}

/// The same for equal items of sorted lists, which may be long.
fn can_share_sorted<T: Ord>(one: &[T], other: &[T]) -> bool {
    let is_in_other = |item: &T| other.binary_search(item).is_ok();
    one.is_empty() || other.is_empty() || one.iter().any(is_in_other)
}

fn can_be_inside(windows: &[DayWindow], run: RunTime) -> bool {
    windows.is_empty() || windows.iter().any(|window| !zones::is_outside(*window, run))
}

fn days_meet(one: DayWindow, other: DayWindow) -> bool {
    one.from < other.until && other.from < one.until
}

fn minutes_meet(one: HourWindow, other: HourWindow) -> bool {
    one.from < other.until && other.from < one.until
}

/// Whether one prefix begins with the other.
fn extend(one: &str, other: &str) -> bool {
    one.starts_with(other) || other.starts_with(one)
}

fn allows_value(attributes: &[AttributeCondition], attribute: &AttributeCondition) -> bool {
    let same_name = attributes.iter().find(|other| other.name == attribute.name);
    same_name.is_none_or(|other| attribute.values.iter().any(|value| other.has_value(value)))
}

/// The first activity is the n-th one only when n is 1.
fn ordinals_meet(one: OrdinalCondition, other: OrdinalCondition) -> bool {
    match (one.nth, other.nth) {
        (Nth::First, Nth::Every(number)) | (Nth::Every(number), Nth::First) => {
            number == 1 || one.of != other.of
        }
        (Nth::First, Nth::First) | (Nth::Every(_), Nth::Every(_)) => true,
    }
}
