//! Reads what is typed as a definition. It checks nothing: the rules of definitions do.

use pointbook_domain::zones::time_zone::Zone;
use pointbook_domain::zones::timestamp_text::{parse_day, parse_local, parse_local_end};
use pointbook_domain::{Day, Locale, Timestamp};
use serde_json::{Map, Value, json};

use super::typed::{ALL, ATTRIBUTES, HOURS, LIMITS, Typed, WINDOWS};

/// The definition that the form says. A value that cannot be right becomes a text, so that the check of the definition refuses it.
pub(in super::super) fn definition_of(typed: &Typed, id: &str, zone: &Zone, own: &Locale) -> Value {
    let mut all = Map::new();
    all.insert("id".to_owned(), id.into());
    add(&mut all, "kind", text(typed.get("kind")));
    all.insert("title".to_owned(), titles(typed, own));
    add(&mut all, "starts_at", time(typed.get("starts_at"), zone));
    add(&mut all, "ends_at", end(typed, ["starts_at", "ends_at"], zone));
    all.insert("conditions".to_owned(), conditions(typed, zone));
    all.insert("reward".to_owned(), reward(typed));
    all.insert("limits".to_owned(), limits(typed));
    if !typed.get("group").is_empty() {
        all.insert("group".to_owned(), json!({ "name": typed.get("group"), "wins": typed.get("wins") }));
    }
    add(&mut all, "priority", integer(typed.get("priority")));
    add(&mut all, "control_percent", integer(typed.get("control_percent")));
    Value::Object(all)
}

fn add(all: &mut Map<String, Value>, name: &str, value: Option<Value>) {
    if let Some(value) = value {
        all.insert(name.to_owned(), value);
    }
}

fn text(text: &str) -> Option<Value> {
    (!text.is_empty()).then(|| text.into())
}

fn integer(typed: &str) -> Option<Value> {
    let number = || typed.parse::<i64>().map_or_else(|_| typed.into(), Value::from);
    (!typed.is_empty()).then(number)
}

fn time(typed: &str, zone: &Zone) -> Option<Value> {
    of_time(typed, parse_local(typed, zone))
}

fn end(typed: &Typed, [start, end]: [&str; 2], zone: &Zone) -> Option<Value> {
    let (start, end) = (typed.get(start), typed.get(end));
    of_time(end, parse_local_end(end, zone, parse_local(start, zone)))
}

fn of_time(typed: &str, read: Option<Timestamp>) -> Option<Value> {
    (!typed.is_empty()).then(|| read.map_or_else(|| typed.into(), |at| at.to_string().into()))
}

fn list(values: impl IntoIterator<Item = Value>) -> Option<Value> {
    let values: Vec<Value> = values.into_iter().collect();
    (!values.is_empty()).then(|| values.into())
}

/// The tenant's own title, and a line such as `de: Tee` for each other one.
fn titles(typed: &Typed, own: &Locale) -> Value {
    let mut titles = Map::new();
    for line in Typed::lines(typed.get("titles")) {
        let (locale, title) = line.split_once(':').unwrap_or((line, ""));
        titles.insert(locale.trim().to_owned(), title.trim().into());
    }
    add(&mut titles, own.as_str(), text(typed.get("title")));
    Value::Object(titles)
}

fn conditions(typed: &Typed, zone: &Zone) -> Value {
    let mut all = Map::new();
    add(&mut all, "types", list(typed.all("types").iter().map(|kind| kind.as_str().into())));
    add(&mut all, "windows", list(typed.rows(WINDOWS).into_iter().map(window)));
    add(&mut all, "source_prefixes", lines(typed.get("prefixes")));
    add(&mut all, "attributes", attributes(typed));
    add(&mut all, "weekdays", list(typed.all("weekdays").iter().map(|day| day.as_str().into())));
    let hours = typed.rows(HOURS);
    add(
        &mut all,
        "hours",
        list(hours.into_iter().map(|[from, until]| json!({ "from": hour(from), "until": hour(until) }))),
    );
    add(&mut all, "min_points", integer(typed.get("min_points")));
    add(&mut all, "ordinal", ordinal(typed));
    add(&mut all, "member_since", time(typed.get("member_since"), zone));
    add(&mut all, "member_before", end(typed, ["member_since", "member_before"], zone));
    add(&mut all, "members", lines(typed.get("members")));
    if let Some(window) = text(typed.get("birthday")) {
        all.insert("birthday".to_owned(), json!({ "window": window, "pays": typed.get("birthday_pays") }));
    }
    Value::Object(all)
}

fn lines(typed: &str) -> Option<Value> {
    list(Typed::lines(typed).into_iter().map(Value::from))
}

/// Browsers may send seconds.
fn hour(typed: &str) -> &str {
    typed.strip_suffix(":00").filter(|hour| hour.len() == "00:00".len()).unwrap_or(typed)
}

/// The form has the last day, and the definition the day after it.
fn window([from, last]: [&str; 2]) -> Value {
    let after = parse_day(last).and_then(|last| Day::from_days(last.as_days() + 1));
    json!({ "from": from, "until": after.map_or_else(|| last.to_owned(), |after| after.to_string()) })
}

fn attributes(typed: &Typed) -> Option<Value> {
    let mut all = Map::new();
    for [name, values] in typed.rows(ATTRIBUTES) {
        let values: Vec<Value> = Typed::lines(values).into_iter().map(Value::from).collect();
        all.insert(name.to_owned(), values.into());
    }
    (!all.is_empty()).then_some(Value::Object(all))
}

fn ordinal(typed: &Typed) -> Option<Value> {
    let of = typed.get("ordinal_of");
    match typed.get("ordinal") {
        "first" => Some(json!({ "first": true, "of": of })),
        "every" => Some(json!({ "every": integer(typed.get("ordinal_number")), "of": of })),
        _ => None,
    }
}

fn reward(typed: &Typed) -> Value {
    let mut all = Map::new();
    let unit = if typed.get("unit") == "points" { "points" } else { "percent" };
    add(&mut all, unit, integer(typed.get("number")));
    add(&mut all, "at_most", integer(typed.get("at_most")));
    Value::Object(all)
}

/// A limit of a member for each period, and one of all members together. Two lines with the same period, one of bonuses and one of points,
/// are one limit. What is typed twice stays twice, so that the check of the definition refuses it.
fn limits(typed: &Typed) -> Value {
    let (mut per_user, mut budget) = (Vec::<Map<String, Value>>::new(), Map::new());
    for [number, unit, per] in typed.rows(LIMITS) {
        let unit = if unit == "awards" { "awards" } else { "points" };
        if per == ALL && !budget.contains_key(unit) {
            add(&mut budget, unit, integer(number));
            continue;
        }
        let known = per_user.iter_mut().find(|limit| limit["period"] == per && !limit.contains_key(unit));
        if let Some(known) = known {
            add(known, unit, integer(number));
        } else {
            let mut limit = Map::from_iter([("period".to_owned(), per.into())]);
            add(&mut limit, unit, integer(number));
            per_user.push(limit);
        }
    }
    let mut all = Map::new();
    all.insert("per_user".to_owned(), per_user.into());
    add(&mut all, "budget", (!budget.is_empty()).then(|| budget.into()));
    add(&mut all, "on_points_limit", text(typed.get("on_points_limit")));
    Value::Object(all)
}
