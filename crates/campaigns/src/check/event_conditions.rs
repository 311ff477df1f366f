//! Conditions that look only at the activity.

use pointbook_domain::{ActivityType, Attributes};

use crate::conditions::{AttributeCondition, Conditions};
use crate::event::Event;
use crate::refusal::{Refusal, require};
use crate::weekday::Weekday;

/// The cheapest checks, and those that fail most often, come first.
pub(crate) fn check_event(conditions: &Conditions, event: &Event<'_>) -> Result<(), Refusal> {
    let Conditions { types, windows, weekdays, hours, .. } = conditions;
    let (day, minute) = (event.local.day, event.local.minute_of_day);
    require(has_type(types, event.kind), Refusal::Type)?;
    require(holds(windows, |window| window.contains(day)), Refusal::Window)?;
    require(weekdays.is_none_or(|days| days.contains(Weekday::of(day))), Refusal::Weekday)?;
    require(holds(hours, |window| window.contains(minute)), Refusal::Hours)?;
    require(conditions.min_points.is_none_or(|least| least <= event.points), Refusal::MinPoints)?;
    let source_id = event.source_id.as_str();
    let is_prefix = |prefix: &String| source_id.starts_with(prefix.as_str());
    require(holds(&conditions.source_prefixes, is_prefix), Refusal::SourcePrefix)?;
    check_attributes(&conditions.attributes, event.attributes)
}

/// Whether a condition is not set, or one of its items matches.
fn holds<T>(items: &[T], matches: impl Fn(&T) -> bool) -> bool {
    items.is_empty() || items.iter().any(matches)
}

fn has_type(types: &[ActivityType], kind: &ActivityType) -> bool {
    if types.is_empty() { !kind.is_order() } else { types.contains(kind) }
}

/// An activity without the attribute does not match.
fn check_attributes(conditions: &[AttributeCondition], attributes: &Attributes) -> Result<(), Refusal> {
    let matches = |condition: &AttributeCondition| {
        attributes.get(&condition.name).is_some_and(|value| condition.has_value(value))
    };
    let failed = conditions.iter().position(|condition| !matches(condition));
    failed.map_or(Ok(()), |index| Err(Refusal::Attribute(index)))
}
