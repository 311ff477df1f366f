//! Whether a campaign can pay for an event: every check before the reward, in the documented order.

use serde_json::Value;

use super::birthday;
use super::calendar::{MICROS_PER_DAY, parse_day, parse_instant, parse_minute, weekday};
use super::data::{Event, Member, Options, Version};
use super::definition::{id, number, optional, text, texts};
use super::history::History;

/// One version of a campaign and one event.
pub(crate) struct Case<'a> {
    pub(crate) version: &'a Version,
    pub(crate) campaign: &'a Value,
    pub(crate) event: &'a Event,
    pub(crate) member: &'a Member,
    /// The time of recording. `None` accepts events of any age.
    pub(crate) now: Option<i64>,
    pub(crate) history: &'a History,
    pub(crate) options: &'a Options,
}

/// Returns the reason word when the check fails.
type Check = fn(&Case<'_>) -> Option<String>;

const CHECKS: [Check; 16] = [
    base,
    age,
    state,
    activity_type,
    windows,
    weekdays,
    hours,
    least_points,
    source_prefixes,
    attributes,
    member_since,
    member_before,
    listed_members,
    birthday::check,
    ordinal,
    control_group,
];

/// The reason of the first check that fails.
pub(crate) fn first_failure(case: &Case<'_>) -> Option<String> {
    CHECKS.iter().find_map(|check| check(case))
}

impl<'a> Case<'a> {
    /// A member of `conditions`, or `None` when it is absent.
    pub(crate) fn condition(&self, name: &str) -> Option<&'a Value> {
        optional(&self.campaign["conditions"][name])
    }
}

/// `Some(word)` unless the condition holds.
fn unless(holds: bool, word: &str) -> Option<String> {
    if holds { None } else { Some(word.to_owned()) }
}

fn base(case: &Case<'_>) -> Option<String> {
    unless(case.event.may_earn(), "base_not_positive")
}

fn age(case: &Case<'_>) -> Option<String> {
    let most = i64::from(case.options.max_age_days) * MICROS_PER_DAY;
    let age = case.now? - case.event.at;
    unless(most == 0 || age <= most, "too_late")
}

/// A paused campaign is outside its time when it would be outside without the pause.
fn state(case: &Case<'_>) -> Option<String> {
    let is_after =
        |name: &str| optional(&case.campaign[name]).map(|bound| case.event.at >= parse_instant(text(bound)));
    if case.event.at < case.version.from {
        return Some("not_started".to_owned());
    }
    let is_in_time = is_after("starts_at").unwrap_or(true) && !is_after("ends_at").unwrap_or(false);
    match case.version.state {
        "draft" => Some("not_started".to_owned()),
        "active" if is_in_time => None,
        "paused" if is_in_time => Some("paused".to_owned()),
        _ => Some("outside_window".to_owned()),
    }
}

fn activity_type(case: &Case<'_>) -> Option<String> {
    let holds = match case.condition("types") {
        None => case.event.kind != "order",
        Some(types) => texts(types).contains(&case.event.kind.as_str()),
    };
    unless(holds, "type")
}

fn windows(case: &Case<'_>) -> Option<String> {
    let windows = case.condition("windows")?.as_array().unwrap();
    let contains = |window: &Value| {
        let (from, until) = (parse_day(text(&window["from"])), parse_day(text(&window["until"])));
        from <= case.event.day && case.event.day < until
    };
    unless(windows.iter().any(contains), "window")
}

fn weekdays(case: &Case<'_>) -> Option<String> {
    let weekdays = texts(case.condition("weekdays")?);
    unless(weekdays.contains(&weekday(case.event.day)), "weekday")
}

fn hours(case: &Case<'_>) -> Option<String> {
    let hours = case.condition("hours")?.as_array().unwrap();
    let contains = |span: &Value| {
        let (from, until) = (parse_minute(text(&span["from"])), parse_minute(text(&span["until"])));
        from <= case.event.minute && case.event.minute < until
    };
    unless(hours.iter().any(contains), "hours")
}

fn least_points(case: &Case<'_>) -> Option<String> {
    let least = number(case.condition("min_points")?);
    unless(i128::from(case.event.points) >= least, "min_points")
}

fn source_prefixes(case: &Case<'_>) -> Option<String> {
    let prefixes = texts(case.condition("source_prefixes")?);
    let starts_with = |prefix: &&str| case.event.source_id.starts_with(*prefix);
    unless(prefixes.iter().any(starts_with), "source_prefix")
}

/// Names the first attribute in alphabetical order that does not match.
fn attributes(case: &Case<'_>) -> Option<String> {
    let wanted = case.condition("attributes")?.as_object().unwrap();
    let mut names: Vec<&String> = wanted.keys().collect();
    names.sort();
    for name in names {
        let values = texts(&wanted[name]);
        let matches = case.event.attributes.get(name).is_some_and(|value| values.contains(&value.as_str()));
        if !matches {
            return Some(format!("attribute.{name}"));
        }
    }
    None
}

fn member_since(case: &Case<'_>) -> Option<String> {
    let since = parse_instant(text(case.condition("member_since")?));
    unless(case.member.created_at >= since, "member_since")
}

fn member_before(case: &Case<'_>) -> Option<String> {
    let before = parse_instant(text(case.condition("member_before")?));
    unless(case.member.created_at < before, "member_before")
}

fn listed_members(case: &Case<'_>) -> Option<String> {
    let members = texts(case.condition("members")?);
    unless(members.contains(&case.member.id.as_str()), "not_a_listed_member")
}

fn ordinal(case: &Case<'_>) -> Option<String> {
    let condition = case.condition("ordinal")?;
    let position =
        case.history.ordinal(&case.member.id, case.event, optional(&condition["of"]).map_or("type", text));
    let holds = match optional(&condition["every"]) {
        Some(every) => position % number(every) == 0,
        None => position == 1,
    };
    unless(holds, "ordinal")
}

fn control_group(case: &Case<'_>) -> Option<String> {
    let has_group = optional(&case.campaign["control_percent"]).is_some_and(|percent| number(percent) > 0);
    let pair = (id(case.campaign).to_owned(), case.member.id.clone());
    unless(!has_group || !case.options.control.contains(&pair), "control_group")
}
