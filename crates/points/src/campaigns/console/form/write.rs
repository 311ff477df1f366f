//! Writes a definition into the form.

use pointbook_domain::zones::time_zone::Zone;
use pointbook_domain::zones::timestamp_text::{local_text, parse_day, parse_timestamp};
use pointbook_domain::{Day, Locale};
use serde_json::Value;

use super::super::sentences::{items, text, texts};
use super::typed::{ALL, Typed};

/// The fields with the values of a definition. What a definition has without being told stays empty.
pub(in super::super) fn typed_of(definition: &Value, zone: &Zone, own: &Locale) -> Typed {
    let mut typed = Typed::default();
    typed.set("id", text(&definition["id"]));
    let kind = text(&definition["kind"]);
    typed.set("kind", if kind == "campaign" { String::new() } else { kind });
    titles(&mut typed, &definition["title"], own);
    typed.set("starts_at", time(&definition["starts_at"], zone));
    typed.set("ends_at", time(&definition["ends_at"], zone));
    conditions(&mut typed, &definition["conditions"], zone);
    let reward = &definition["reward"];
    let unit = if reward["points"].is_null() { "percent" } else { "points" };
    typed.set("unit", unit);
    typed.set("number", number(&reward[unit]));
    typed.set("at_most", number(&reward["at_most"]));
    limits(&mut typed, &definition["limits"]);
    typed.set("group", text(&definition["group"]["name"]));
    typed.set("wins", text(&definition["group"]["wins"]));
    for name in ["priority", "control_percent"] {
        let number = number(&definition[name]);
        typed.set(name, if number == "0" { String::new() } else { number });
    }
    typed
}

fn number(value: &Value) -> String {
    value.as_i64().map(|number| number.to_string()).unwrap_or_default()
}

fn time(value: &Value, zone: &Zone) -> String {
    let at = value.as_str().and_then(parse_timestamp);
    at.map(|at| local_text(at, zone)).unwrap_or_default()
}

fn titles(typed: &mut Typed, titles: &Value, own: &Locale) {
    let mut others = Vec::new();
    for (locale, title) in titles.as_object().into_iter().flatten() {
        if locale == own.as_str() {
            typed.set("title", text(title));
        } else {
            others.push(format!("{locale}: {}", text(title)));
        }
    }
    typed.set("titles", others.join("\n"));
}

fn conditions(typed: &mut Typed, conditions: &Value, zone: &Zone) {
    for (name, list) in [("types", "types"), ("weekdays", "weekdays")] {
        for value in texts(&conditions[list]) {
            typed.push(name, value);
        }
    }
    for window in items(&conditions["windows"]) {
        typed.push("windows_from", text(&window["from"]));
        let last = parse_day(&text(&window["until"])).and_then(|day| Day::from_days(day.as_days() - 1));
        typed.push("windows_until", last.map(|day| day.to_string()).unwrap_or_default());
    }
    for hours in items(&conditions["hours"]) {
        typed.push("hours_from", text(&hours["from"]));
        typed.push("hours_until", text(&hours["until"]));
    }
    typed.set("prefixes", texts(&conditions["source_prefixes"]).join("\n"));
    for (name, values) in conditions["attributes"].as_object().into_iter().flatten() {
        typed.push("attribute_name", name.as_str());
        typed.push("attribute_values", texts(values).join("\n"));
    }
    typed.set("min_points", number(&conditions["min_points"]));
    let ordinal = &conditions["ordinal"];
    if ordinal.is_object() {
        typed.set("ordinal", if ordinal["every"].is_null() { "first" } else { "every" });
        typed.set("ordinal_number", number(&ordinal["every"]));
        typed.set("ordinal_of", text(&ordinal["of"]));
    }
    typed.set("member_since", time(&conditions["member_since"], zone));
    typed.set("member_before", time(&conditions["member_before"], zone));
    typed.set("members", texts(&conditions["members"]).join("\n"));
    typed.set("birthday", text(&conditions["birthday"]["window"]));
    typed.set("birthday_pays", text(&conditions["birthday"]["pays"]));
}

fn limits(typed: &mut Typed, limits: &Value) {
    let of_members = items(&limits["per_user"]).map(|limit| (text(&limit["period"]), limit));
    for (per, limit) in of_members.chain([(ALL.to_owned(), &limits["budget"])]) {
        for unit in ["points", "awards"].into_iter().filter(|unit| limit[unit].is_i64()) {
            typed.push("limit_number", number(&limit[unit]));
            typed.push("limit_unit", unit);
            typed.push("limit_per", per.as_str());
        }
    }
    if limits["on_points_limit"] == "skip" {
        typed.set("on_points_limit", "skip");
    }
}
