//! Faults of definitions.

use pointbook_campaigns::{CampaignId, FaultRule, parse};
use pointbook_domain::{ActivityType, Attributes};
use serde_json::{Value, json};

use crate::parts::locale;
use crate::scene::definition;

/// The faults as `field code`, in order.
fn faults(definition: &Value) -> Vec<String> {
    let faults = parse(definition, &locale("en")).err().unwrap_or_default();
    faults.iter().map(|fault| format!("{} {}", fault.field, fault.rule.code().as_str())).collect()
}

/// Panics unless a definition with these fields has these faults.
fn assert_faults(cases: impl IntoIterator<Item = (Value, &'static [&'static str])>) {
    for (fields, expected) in cases {
        assert_eq!(faults(&definition(fields.clone())), expected, "{fields}");
    }
}

/// The same for conditions.
fn assert_condition_faults(cases: impl IntoIterator<Item = (Value, &'static [&'static str])>) {
    assert_faults(
        cases.into_iter().map(|(conditions, expected)| (json!({"conditions": conditions}), expected)),
    );
}

#[test]
fn a_definition_needs_an_id_a_title_and_a_reward() {
    assert_eq!(faults(&json!({})), ["id required", "title required", "reward required"]);
    for value in [json!(null), json!([]), json!("campaign"), json!(1)] {
        assert_eq!(faults(&value), [" not_an_object"], "{value}");
    }
    assert_faults([
        (json!({}), &[][..]),
        (json!({"id": null, "title": {"en": null}}), &["id required", "title.en not_a_string"]),
    ]);
}

/// A definition in which each field is wrong.
fn wrong_definition() -> Value {
    json!({
        "id": "Spring Sale",
        "kind": "Campaign",
        "title": {"de": " ", "english": "Spring"},
        "starts_at": "2026-11-14",
        "ends_at": 20_261_121,
        "conditions": {
            "types": ["code", "order"],
            "windows": [{"from": "2026-11-14", "until": "2026-11-31"}, {"until": "2026-11-14", "til": 1}],
            "hours": [{"from": "24:00", "until": "24:01"}],
            "attributes": {"SKU": ["A"], "store": [""]},
            "min_points": 0,
            "ordinal": {"first": false},
        },
        "reward": {"percent": 10_001, "at_most": 0},
        "limits": {"per_user": [{"period": "hour", "awards": 1.5}], "budget": {}},
        "group": {"wins": "last"},
        "priority": "high",
        "control_percent": 51,
        "colour": "red",
    })
}

#[test]
fn every_wrong_field_is_named_at_once() {
    assert_eq!(
        faults(&wrong_definition()),
        [
            "colour unknown_field",
            "id wrong_form",
            "kind wrong_form",
            "title.de blank",
            "title.english wrong_form",
            "title.en required",
            "starts_at not_a_date",
            "ends_at not_a_string",
            "conditions.types.1 invalid_choice",
            "conditions.windows.0.until not_a_date",
            "conditions.windows.1.til unknown_field",
            "conditions.windows.1.from required",
            "conditions.attributes.SKU wrong_form",
            "conditions.attributes.store.0 wrong_form",
            "conditions.hours.0.from not_a_time_of_day",
            "conditions.hours.0.until not_a_time_of_day",
            "conditions.min_points out_of_range",
            "conditions.ordinal.first invalid_choice",
            "reward.at_most out_of_range",
            "reward.percent out_of_range",
            "limits.per_user.0.period invalid_choice",
            "limits.per_user.0.awards not_an_integer",
            "limits.budget required",
            "group.name required",
            "group.wins invalid_choice",
            "priority not_an_integer",
            "control_percent out_of_range",
        ]
    );
}

#[test]
fn a_message_says_what_is_allowed_and_what_it_got() {
    let shown = |definition: &Value| -> Vec<String> {
        parse(definition, &locale("en")).unwrap_err().iter().map(ToString::to_string).collect()
    };
    let wrong = json!({
        "conditions": {"hours": [{"from": "24:00", "until": "24:01"}]}, "id": "A", "kind": ["b"], "reward": {"percent": 0}, "group": {"name": "a\"b", "wins": {"a": 1}},
        "priority": 1.5, "x": 1,
    });
    let long = format!("\"{}…\"", "あ".repeat(60));
    assert_eq!(
        shown(&definition(wrong)),
        [
            "x is not known here; the known fields are id, kind, title, starts_at, ends_at, conditions, reward, \
             limits, group, priority, control_percent",
            "id must have 1 to 64 characters of a-z, 0-9, _ and -, got \"A\"",
            "kind must be a string, got an array",
            "conditions.hours.0.from must be a time from 00:00 to 23:59, got \"24:00\"",
            "conditions.hours.0.until must be a time from 00:00 to 24:00, got \"24:01\"",
            "reward.percent must be between 1 and 10000, got 0",
            "group.name must have 1 to 64 characters of a-z, 0-9, _ and -, got \"a\\\"b\"",
            "group.wins must be a string, got an object",
            "priority must be an integer, got 1.5",
        ]
    );
    assert_eq!(shown(&json!(null)), ["the definition must be an object"]);
    let wins = definition(json!({"group": {"name": "g", "wins": "あ".repeat(10_000)}}));
    assert_eq!(shown(&wins), [format!("group.wins must be one of first, highest, got {long}")]);
}

#[test]
fn rules_of_forms_have_the_texts_of_their_types() {
    let got = || "\"É\"".to_owned();
    let told = |error: &dyn std::fmt::Display| format!("{error}, got \"É\"");
    let name = CampaignId::new("É").unwrap_err();
    assert_eq!(FaultRule::NotAName { got: got() }.to_string(), told(&name));
    let kind = ActivityType::new("É").unwrap_err();
    assert_eq!(FaultRule::NotAType { got: got() }.to_string(), told(&kind));
    let value = Attributes::check_value("").unwrap_err();
    assert_eq!(FaultRule::AttributeValue { got: got() }.to_string(), told(&value));
    let name = Attributes::check_name("").unwrap_err();
    assert_eq!(FaultRule::AttributeName.to_string(), format!("has a name that {name}"));
}

#[test]
fn an_id_has_1_to_64_plain_characters() {
    for good in ["a", "double-points_2", &"a".repeat(64)] {
        assert_eq!(CampaignId::new(good).unwrap().to_string(), good);
    }
    for bad in ["", "A", "a b", "a.b", "é", &"a".repeat(65)] {
        assert!(CampaignId::new(bad).is_err(), "{bad}");
    }
}

#[test]
fn titles_are_short_and_few_and_have_the_tenants_own_locale() {
    let title = |title: &str| json!({"title": {"en": title}});
    let many: serde_json::Map<_, _> =
        (0..21).map(|number| (format!("en-x{number:02}"), json!("t"))).collect();
    let mut many_with_own = many.clone();
    many_with_own.insert("en".to_owned(), json!("t"));
    assert_faults([
        (title(&"あ".repeat(100)), &[][..]),
        (title(&"あ".repeat(101)), &["title.en too_long"]),
        (title(""), &["title.en blank"]),
        (title("\u{3000}\n"), &["title.en blank"]),
        (title("a\0b"), &["title.en nul_character"]),
        (json!({ "title": many }), &["title too_many", "title.en required"]),
        (json!({ "title": many_with_own }), &["title too_many"]),
        (json!({"title": {"de": "Frühling"}}), &["title.en required"]),
    ]);
    assert!(parse(&definition(json!({"title": {"de": "Frühling"}})), &locale("de")).is_ok());
}

/// A window never matches when it is outside of the campaign in each zone: from UTC+14 to UTC-12.
#[test]
fn times_that_contradict_are_refused() {
    let run = |starts_at: &str, ends_at: &str| json!({"starts_at": starts_at, "ends_at": ends_at});
    let window = |from: &str, until: &str, run: (&str, &str)| {
        let windows = json!([{"from": from, "until": until}]);
        json!({run.0: run.1, "conditions": {"windows": windows}})
    };
    let week = |run: (&'static str, &'static str)| window("2026-11-14", "2026-11-21", run);
    let never = &["conditions.windows.0 contradiction"][..];
    assert_faults([
        (run("2026-11-14T00:00:00Z", "2026-11-14T00:00:00.000001Z"), &[][..]),
        (run("2026-11-14T00:00:00Z", "2026-11-14T00:00:00Z"), &["ends_at contradiction"]),
        (run("2026-11-14T00:00:00Z", "2026-11-14T01:00:00+01:00"), &["ends_at contradiction"]),
        (week(("ends_at", "2026-11-13T10:00:00Z")), never),
        (week(("ends_at", "2026-11-13T10:00:00.000001Z")), &[]),
        (week(("starts_at", "2026-11-21T12:00:00Z")), never),
        (week(("starts_at", "2026-11-21T11:59:59.999999Z")), &[]),
        (window("0001-01-01", "0001-01-02", ("ends_at", "0001-01-01T00:00:00.000001Z")), &[]),
        (
            window("2026-11-15", "2026-11-15", ("starts_at", "2026-11-14T00:00:00Z")),
            &["conditions.windows.0.until contradiction"],
        ),
        (
            window("2026-02-30", "x", ("starts_at", "2026-11-14T00:00:00Z")),
            &["conditions.windows.0.from not_a_date", "conditions.windows.0.until not_a_date"],
        ),
    ]);
    let same = json!({"member_since": "2026-03-01T00:00:00Z", "member_before": "2026-03-01T00:00:00Z"});
    assert_condition_faults([(same, &["conditions.member_before contradiction"][..])]);
}

#[test]
fn hours_are_in_one_day_and_have_two_digits_twice() {
    let hours = |from: &str, until: &str| json!({"hours": [{"from": from, "until": until}]});
    let (from, until) =
        ("conditions.hours.0.from not_a_time_of_day", "conditions.hours.0.until not_a_time_of_day");
    assert_eq!(faults(&definition(json!({"conditions": hours("24:00", "24:00")}))), [from]);
    assert_condition_faults([
        (hours("00:00", "24:00"), &[][..]),
        (hours("23:59", "24:00"), &[]),
        (hours("22:00", "02:00"), &["conditions.hours.0.until contradiction"]),
        (hours("22:00", "22:00"), &["conditions.hours.0.until contradiction"]),
    ]);
    for bad in ["", "7:00", "07:60", "07.00", "07:0", "07:000", "-1:00", "é:00"] {
        assert_eq!(faults(&definition(json!({"conditions": hours(bad, bad)}))), [from, until], "{bad}");
    }
}

#[test]
fn choices_that_exclude_each_other_are_refused() {
    assert_faults([
        (json!({"reward": {}}), &["reward required"][..]),
        (json!({"reward": {"percent": 1, "points": 1}}), &["reward contradiction"]),
    ]);
    assert_condition_faults([
        (json!({"ordinal": {}}), &["conditions.ordinal required"][..]),
        (
            json!({"ordinal": {"first": true, "every": 0, "of": "user"}}),
            &[
                "conditions.ordinal.of invalid_choice",
                "conditions.ordinal.every out_of_range",
                "conditions.ordinal contradiction",
            ],
        ),
    ]);
}

#[test]
fn lists_have_an_item_and_limits_a_number() {
    for name in ["types", "windows", "source_prefixes", "weekdays", "hours", "members"] {
        for (list, code) in [(json!([]), "too_few"), (json!({}), "not_an_array")] {
            let found = faults(&definition(json!({"conditions": {name: list}})));
            assert_eq!(found, [format!("conditions.{name} {code}")]);
        }
    }
    assert_condition_faults([
        (json!({"attributes": {"sku": []}}), &["conditions.attributes.sku too_few"][..]),
        (json!({"attributes": {}}), &[]),
        (json!({"types": [null]}), &["conditions.types.0 not_a_string"]),
    ]);
    let limits = json!([{"period": "day", "awards": 1}, {"period": "day", "points": 1}]);
    let none = json!({"per_user": [{"period": "day"}], "budget": {"awards": null}});
    assert_faults([
        (json!({"limits": {"per_user": limits}}), &["limits.per_user.1 duplicate_value"][..]),
        (json!({"limits": {"per_user": []}}), &[]),
        (json!({ "limits": none }), &["limits.per_user.0 required", "limits.budget required"]),
    ]);
}

#[test]
fn numbers_are_integers_within_their_bounds() {
    let most = 9_007_199_254_740_991_u64;
    assert_faults([
        (json!({"reward": {"points": most}}), &[][..]),
        (json!({"reward": {"points": most + 1}}), &["reward.points out_of_range"]),
        (json!({"reward": {"points": u64::MAX}}), &["reward.points out_of_range"]),
        (json!({"reward": {"points": 1.0}}), &["reward.points not_an_integer"]),
        (json!({"reward": {"points": "1"}}), &["reward.points not_an_integer"]),
        (json!({"priority": -1_000_000}), &[]),
        (json!({"priority": -1_000_001}), &["priority out_of_range"]),
        (json!({"priority": 1_000_001}), &["priority out_of_range"]),
        (json!({"control_percent": 50}), &[]),
        (json!({"control_percent": -1}), &["control_percent out_of_range"]),
        (json!({"limits": {"budget": {"awards": 0}}}), &["limits.budget.awards out_of_range"]),
    ]);
}
