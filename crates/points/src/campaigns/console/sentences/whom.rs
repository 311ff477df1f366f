//! The conditions beside types, weekdays and hours.

use pointbook_access::console_kit::Visit;
use pointbook_domain::zones::timestamp_text::parse_timestamp;
use pointbook_http::pages::{Words, date, number, points};
use serde_json::Value;

use super::{day, items, list, texts};

/// The members that a sentence names.
const NAMED: usize = 5;

pub(super) fn sentences(visit: &Visit<'_>, conditions: &Value) -> Vec<String> {
    let words = visit.words;
    let mut all = Vec::new();
    all.extend(windows(&conditions["windows"], words));
    all.extend(listed("campaign-prefixes", &conditions["source_prefixes"], words));
    for (name, values) in conditions["attributes"].as_object().into_iter().flatten() {
        let values = list(&texts(values), words);
        all.push(words.with_all("campaign-attribute", [("name", name.clone()), ("values", values)]));
    }
    if let Some(least) = conditions["min_points"].as_i64() {
        all.push(words.with("campaign-min-points", "points", points(least, words)).into_owned());
    }
    all.extend(ordinal(&conditions["ordinal"], words));
    all.extend(member_time(visit, "campaign-member-since", &conditions["member_since"]));
    all.extend(member_time(visit, "campaign-member-before", &conditions["member_before"]));
    all.extend(members(&conditions["members"], words));
    all.extend(birthday(&conditions["birthday"], words));
    all
}

pub(super) fn birthday(birthday: &Value, words: &Words) -> Option<String> {
    let (window, pays) = (birthday["window"].as_str()?, birthday["pays"].as_str()?);
    Some(words.say(&format!("campaign-birthday-{window}-{pays}")).into_owned())
}

/// The last day of a window is the day before its `until`.
fn windows(windows: &Value, words: &Words) -> Option<String> {
    let window = |window: &Value| {
        words.with_all(
            "campaign-days-from-until",
            [("from", day(&window["from"], 0, words)), ("until", day(&window["until"], -1, words))],
        )
    };
    let windows: Vec<String> = items(windows).map(window).collect();
    (!windows.is_empty()).then(|| words.with_all("campaign-windows", [("days", list(&windows, words))]))
}

fn listed(id: &str, values: &Value, words: &Words) -> Option<String> {
    let values = texts(values);
    (!values.is_empty()).then(|| words.with_all(id, [("values", list(&values, words))]))
}

fn ordinal(ordinal: &Value, words: &Words) -> Option<String> {
    let of = ordinal["of"].as_str()?;
    Some(match ordinal["every"].as_i64() {
        Some(every) => {
            words.with(&format!("campaign-every-{of}"), "number", number(every, words)).into_owned()
        }
        None => words.say(&format!("campaign-first-{of}")).into_owned(),
    })
}

fn member_time(visit: &Visit<'_>, id: &str, at: &Value) -> Option<String> {
    let local = visit.served.local_time(parse_timestamp(at.as_str()?)?);
    let (hour, minute) = (local.minute_of_day / 60, local.minute_of_day % 60);
    let time = format!("{hour:02}:{minute:02}");
    Some(visit.words.with_all(id, [("day", date(local.day, visit.words)), ("time", time)]))
}

fn members(members: &Value, words: &Words) -> Option<String> {
    let members = texts(members);
    match members.len() {
        0 => None,
        1..=NAMED => Some(words.with_all("campaign-members", [("values", list(&members, words))])),
        count => {
            let count = number(i64::try_from(count).unwrap_or(i64::MAX), words);
            Some(words.with("campaign-many-members", "count", count).into_owned())
        }
    }
}
