//! The canonical JSON of a campaign: all members in the documented order, with all defaults.
//!
//! An optional member without a value is null. Of members that exclude each other, such as `percent` and `points`, only the one
//! with a value is there.

use std::fmt::{Display, Write};

use serde_json::{Map, Value};

use crate::birthday::BirthdayCondition;
use crate::campaign::{Campaign, Group, Titles};
use crate::conditions::{AttributeCondition, Conditions, DayWindow, HourWindow, MinuteOfDay};
use crate::conditions::{Nth, OrdinalCondition};
use crate::limits::{Budget, Limits, UserLimit};
use crate::reward::{Amount, Reward};
use crate::weekday::{Weekday, Weekdays};

impl Campaign {
    /// The JSON text of the definition. [`crate::parse`] reads it as an equal campaign.
    pub fn to_json(&self) -> String {
        let Self { id, kind, title, run, conditions, reward, limits, .. } = self;
        let Self { group, priority, control_percent, .. } = self;
        Members::default()
            .add("id", text(id.as_str()))
            .add("kind", text(kind.as_str()))
            .add("title", titles(title))
            .add("starts_at", optional(run.starts_at, text))
            .add("ends_at", optional(run.ends_at, text))
            .add("conditions", conditions_json(conditions))
            .add("reward", reward_json(*reward))
            .add("limits", limits_json(limits))
            .add("group", optional(group.as_ref(), group_json))
            .add("priority", priority)
            .add("control_percent", control_percent)
            .end()
    }
}

/// An object that keeps the order of its members, which `serde_json` does not.
#[derive(Default)]
struct Members(String);

impl Members {
    /// Adds a member with a value that displays as JSON.
    fn add(mut self, name: &str, value: impl Display) -> Self {
        let separator = if self.0.is_empty() { '{' } else { ',' };
        self.0.push(separator);
        // Writing into a string cannot fail.
        let _ = write!(self.0, "\"{name}\":{value}");
        self
    }

    fn end(self) -> String {
        self.0 + "}"
    }
}

fn text(text: impl Display) -> String {
    Value::String(text.to_string()).to_string()
}

fn optional<T>(value: Option<T>, json: impl FnOnce(T) -> String) -> String {
    value.map_or_else(|| "null".to_owned(), json)
}

/// An empty list is a condition that is not set.
fn list<'i, T>(items: &'i [T], json: impl Fn(&'i T) -> String) -> String {
    if items.is_empty() { "null".to_owned() } else { array(items, json) }
}

fn array<'i, T>(items: &'i [T], json: impl Fn(&'i T) -> String) -> String {
    let items: Vec<String> = items.iter().map(json).collect();
    format!("[{}]", items.join(","))
}

fn titles(Titles(titles): &Titles) -> Value {
    titles.iter().map(|(locale, title)| (locale.to_string(), Value::from(title.as_str()))).collect()
}

fn conditions_json(conditions: &Conditions) -> String {
    let Conditions { types, windows, source_prefixes, attributes, weekdays, hours, .. } = conditions;
    let Conditions { min_points, ordinal, member_since, member_before, members, birthday, .. } = conditions;
    Members::default()
        .add("types", list(types, text))
        .add("windows", list(windows, |window| day_window_json(*window)))
        .add("source_prefixes", list(source_prefixes, text))
        .add("attributes", attributes_json(attributes))
        .add("weekdays", optional(*weekdays, weekdays_json))
        .add("hours", list(hours, |window| hour_window_json(*window)))
        .add("min_points", optional(*min_points, number))
        .add("ordinal", optional(*ordinal, ordinal_json))
        .add("member_since", optional(*member_since, text))
        .add("member_before", optional(*member_before, text))
        .add("members", list(members, text))
        .add("birthday", optional(*birthday, birthday_json))
        .end()
}

fn day_window_json(window: DayWindow) -> String {
    let DayWindow { from, until } = window;
    Members::default().add("from", text(from)).add("until", text(until)).end()
}

fn hour_window_json(window: HourWindow) -> String {
    let HourWindow { from, until } = window;
    let minute = |minute: MinuteOfDay| text(format!("{:02}:{:02}", minute / 60, minute % 60));
    Members::default().add("from", minute(from)).add("until", minute(until)).end()
}

fn attributes_json(attributes: &[AttributeCondition]) -> Value {
    if attributes.is_empty() {
        return Value::Null;
    }
    let members = attributes
        .iter()
        .map(|AttributeCondition { name, values }| (name.clone(), Value::from(values.as_slice())));
    Value::Object(members.collect::<Map<_, _>>())
}

fn weekdays_json(weekdays: Weekdays) -> String {
    let days: Vec<Weekday> = weekdays.iter().collect();
    array(&days, |day| text(day.as_str()))
}

fn ordinal_json(ordinal: OrdinalCondition) -> String {
    let OrdinalCondition { nth, of } = ordinal;
    let members = match nth {
        Nth::First => Members::default().add("first", true),
        Nth::Every(number) => Members::default().add("every", number),
    };
    members.add("of", text(of.as_str())).end()
}

fn birthday_json(birthday: BirthdayCondition) -> String {
    let BirthdayCondition { window, pays } = birthday;
    Members::default().add("window", text(window.as_str())).add("pays", text(pays.as_str())).end()
}

fn reward_json(reward: Reward) -> String {
    let Reward { amount, at_most } = reward;
    let members = match amount {
        Amount::Percent(percent) => Members::default().add("percent", percent),
        Amount::Points(points) => Members::default().add("points", points),
    };
    members.add("at_most", optional(at_most, number)).end()
}

fn limits_json(limits: &Limits) -> String {
    let Limits { per_user, budget, on_points_limit } = limits;
    Members::default()
        .add("per_user", array(per_user, user_limit_json))
        .add("budget", optional(*budget, budget_json))
        .add("on_points_limit", text(on_points_limit.as_str()))
        .end()
}

fn user_limit_json(limit: &UserLimit) -> String {
    let UserLimit { period, awards, points } = *limit;
    Members::default()
        .add("period", text(period.as_str()))
        .add("awards", optional(awards, number))
        .add("points", optional(points, number))
        .end()
}

fn budget_json(budget: Budget) -> String {
    let Budget { awards, points } = budget;
    Members::default().add("awards", optional(awards, number)).add("points", optional(points, number)).end()
}

fn group_json(group: &Group) -> String {
    let Group { name, wins } = group;
    Members::default().add("name", text(name)).add("wins", text(wins.as_str())).end()
}

fn number(number: impl Display) -> String {
    number.to_string()
}
