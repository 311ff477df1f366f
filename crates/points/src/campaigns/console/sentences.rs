//! The definition of a campaign as sentences.

mod limits;
mod whom;

use pointbook_access::console_kit::Visit;
use pointbook_domain::zones::timestamp_text::parse_day;
use pointbook_http::pages::{Words, date, percent, points};
use serde_json::Value;

/// What a definition says: first what it gives and when, then one sentence for each other rule.
pub(super) fn sentences(visit: &Visit<'_>, definition: &Value) -> Vec<String> {
    let words = visit.words;
    let mut all = vec![main(definition, words)];
    all.extend(reward_bound(definition, words));
    all.extend(whom::sentences(visit, &definition["conditions"]));
    all.extend(limits::sentences(definition, words));
    all
}

/// What it gives and when, and the birthday that it needs.
pub(super) fn short(definition: &Value, words: &Words) -> String {
    let birthday = whom::birthday(&definition["conditions"]["birthday"], words);
    let parts: Vec<String> = std::iter::once(main(definition, words)).chain(birthday).collect();
    parts.join(" ")
}

/// "On Mondays from 16:00 to 18:00 members earn double points for code."
fn main(definition: &Value, words: &Words) -> String {
    let conditions = &definition["conditions"];
    let types: Vec<String> = texts(&conditions["types"]).iter().map(|kind| activity(kind, words)).collect();
    let activities = if types.is_empty() {
        words.say("campaign-every-activity").into_owned()
    } else {
        list(&types, words)
    };
    let what = reward(&definition["reward"], words);
    match when(conditions, words) {
        Some(when) => {
            words.with_all("campaign-main-when", [("when", when), ("what", what), ("activities", activities)])
        }
        None => words.with_all("campaign-main", [("what", what), ("activities", activities)]),
    }
}

/// The documented types have names. A tenant's own ones are words that it chose.
pub(super) fn activity(kind: &str, words: &Words) -> String {
    match kind {
        "code" | "video" | "quiz" => words.say(&format!("campaign-type-{kind}")).into_owned(),
        _ => kind.to_owned(),
    }
}

fn when(conditions: &Value, words: &Words) -> Option<String> {
    let days: Vec<String> = texts(&conditions["weekdays"])
        .into_iter()
        .map(|day| words.say(&format!("campaign-on-{day}")).into_owned())
        .collect();
    let hours: Vec<String> = items(&conditions["hours"])
        .map(|hours| {
            words.with_all("campaign-from-until", ["from", "until"].map(|end| (end, text(&hours[end]))))
        })
        .collect();
    match (days.is_empty(), hours.is_empty()) {
        (true, true) => None,
        (false, true) => Some(words.with_all("campaign-when-days", [("days", list(&days, words))])),
        (true, false) => Some(words.with_all("campaign-when-hours", [("hours", list(&hours, words))])),
        (false, false) => {
            Some(words.with_all(
                "campaign-when-both",
                [("days", list(&days, words)), ("hours", list(&hours, words))],
            ))
        }
    }
}

fn reward(reward: &Value, words: &Words) -> String {
    match (reward["percent"].as_i64(), reward["points"].as_i64()) {
        (Some(100), _) => words.say("campaign-double").into_owned(),
        (Some(200), _) => words.say("campaign-triple").into_owned(),
        (Some(percent), _) => words
            .with("campaign-percent", "number", self::percent(percent.saturating_mul(10), words))
            .into_owned(),
        (None, fixed) => {
            words.with("campaign-fixed", "points", points(fixed.unwrap_or_default(), words)).into_owned()
        }
    }
}

fn reward_bound(definition: &Value, words: &Words) -> Option<String> {
    let most = definition["reward"]["at_most"].as_i64()?;
    Some(words.with("campaign-at-most", "points", points(most, words)).into_owned())
}

/// Texts with a separator between them.
fn list(texts: &[impl AsRef<str>], words: &Words) -> String {
    let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
    match texts.split_last() {
        Some((last, others)) if !others.is_empty() => {
            let separator = words.say("campaign-comma");
            let others = others.join(&separator);
            words.with_all("campaign-and", [("others", others), ("last", (*last).to_owned())])
        }
        _ => texts.concat(),
    }
}

/// The items of a list; nothing for null.
pub(super) fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

pub(super) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

pub(super) fn texts(value: &Value) -> Vec<String> {
    items(value).map(text).collect()
}

/// A day of a definition, some days later.
fn day(value: &Value, later: i32, words: &Words) -> String {
    let day = parse_day(value.as_str().unwrap_or_default());
    let day = day.and_then(|day| pointbook_domain::Day::from_days(day.as_days() + later));
    day.map_or_else(|| text(value), |day| date(day, words))
}
