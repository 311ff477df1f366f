//! A definition survives the form.

use pointbook_campaigns::parse;
use pointbook_domain::zones::time_zone::Zone;
use pointbook_domain::{Locale, TimeZoneName};
use serde_json::{Value, json};

use super::{Typed, definition_of, typed_of};

fn zone() -> Zone {
    Zone::find(&TimeZoneName::new("Europe/Berlin").unwrap()).unwrap()
}

fn own() -> Locale {
    Locale::new("en").unwrap()
}

fn through_the_form(definition: &Value) -> (String, String) {
    let stored = parse(definition, &own()).unwrap().to_json();
    let typed = typed_of(&serde_json::from_str(&stored).unwrap(), &zone(), &own());
    let again = definition_of(&typed, "tea", &zone(), &own());
    (stored, parse(&again, &own()).unwrap().to_json())
}

/// The complete example of the reference.
fn complete() -> Value {
    json!({
        "id": "tea",
        "kind": "birthday",
        "title": {"en": "Tea for your birthday", "de": "Tee zum Geburtstag"},
        "starts_at": "2026-12-01T00:00:00+01:00",
        "ends_at": "2027-12-01T00:00:00+01:00",
        "conditions": {
            "types": ["code"],
            "windows": [{"from": "2026-12-01", "until": "2026-12-24"}, {"from": "2027-01-07", "until": "2027-12-01"}],
            "source_prefixes": ["TEA-", "TEE-"],
            "attributes": {"sku": ["GT-100", "GT-250"], "channel": ["app", "kiosk"]},
            "weekdays": ["mon", "tue", "wed", "thu", "fri"],
            "hours": [{"from": "06:00", "until": "10:00"}, {"from": "22:00", "until": "24:00"}],
            "min_points": 20,
            "ordinal": {"every": 3, "of": "type"},
            "member_since": "2020-01-01T00:00:00Z",
            "member_before": "2026-11-01T00:00:00Z",
            "members": ["ann", "ben"],
            "birthday": {"window": "month", "pays": "each"}
        },
        "reward": {"percent": 150, "at_most": 400},
        "limits": {
            "per_user": [{"period": "day", "awards": 1}, {"period": "month", "awards": 10, "points": 2000}],
            "budget": {"awards": 5000, "points": 1_000_000},
            "on_points_limit": "skip"
        },
        "group": {"name": "birthdays", "wins": "highest"},
        "priority": 10,
        "control_percent": 5
    })
}

#[test]
fn every_member_of_a_definition_survives_the_form() {
    let small = json!({"id": "tea", "title": {"en": "T"}, "reward": {"points": 7}, "conditions": {"ordinal": {"first": true}}});
    for definition in [complete(), small] {
        let (stored, again) = through_the_form(&definition);
        assert_eq!(stored, again);
    }
}

/// On 2026-10-25, the hour from 02:00 comes twice. The second one is that of an end that is not after its start otherwise.
#[test]
fn a_campaign_within_the_doubled_hour_survives_the_form() {
    for (start, end) in [("02:15:00+02:00", "02:45:00+02:00"), ("02:45:00+02:00", "02:15:00+01:00")] {
        let [start, end] = [start, end].map(|time| format!("2026-10-25T{time}"));
        let members = json!({"member_since": start, "member_before": end});
        let definition = json!({
            "id": "tea", "title": {"en": "T"}, "reward": {"points": 7}, "starts_at": start, "ends_at": end,
            "conditions": members,
        });
        let (stored, again) = through_the_form(&definition);
        assert_eq!(stored, again);
    }
}

#[test]
fn what_the_form_cannot_say_is_noticed() {
    let mut definition = complete();
    definition["starts_at"] = "2026-12-01T00:00:00.000001Z".into();
    let (stored, again) = through_the_form(&definition);
    assert_ne!(stored, again);
}

#[test]
fn what_is_typed_wrong_is_refused_by_the_rules_of_definitions() {
    let mut typed = Typed::default();
    for (name, value) in [
        ("number", "many"),
        ("starts_at", "soon"),
        ("hours_from", "7"),
        ("hours_until", "8"),
        ("group", "A b"),
        ("priority", "9999999"),
    ] {
        typed.push(name, value);
    }
    let faults = parse(&definition_of(&typed, "Tea", &zone(), &own()), &own()).unwrap_err();
    let fields: Vec<&str> = faults.iter().map(|fault| fault.field.as_str()).collect();
    assert_eq!(
        fields,
        [
            "id",
            "title.en",
            "starts_at",
            "conditions.hours.0.from",
            "conditions.hours.0.until",
            "reward.percent",
            "group.name",
            "group.wins",
            "priority"
        ]
    );
}

#[test]
fn lines_of_limits_are_one_limit_for_each_period() {
    let faults_of = |lines: &[(&str, &str, &str)]| {
        let mut typed = Typed::default();
        for (name, value) in [("title", "T"), ("number", "5")] {
            typed.push(name, value);
        }
        for (number, unit, per) in lines {
            for (name, value) in [("limit_number", number), ("limit_unit", unit), ("limit_per", per)] {
                typed.push(name, *value);
            }
        }
        let definition = definition_of(&typed, "tea", &zone(), &own());
        (definition["limits"].clone(), parse(&definition, &own()).err().unwrap_or_default())
    };
    let lines =
        [("9", "points", "day"), ("2", "awards", "day"), ("7", "points", "all"), ("", "points", "week")];
    let (limits, faults) = faults_of(&lines);
    let expected =
        json!({"per_user": [{"period": "day", "points": 9, "awards": 2}], "budget": {"points": 7}});
    assert_eq!((limits, faults), (expected, Vec::new()));
    for per in ["day", "all"] {
        let (_, faults) = faults_of(&[("9", "points", per), ("8", "points", per)]);
        assert_eq!(faults.len(), 1, "{per}: {faults:?}");
    }
}
