//! Faults of definitions.

use pointbook_campaigns::parse;
use pointbook_domain::Locale;
use serde_json::{Value, json};

use crate::scene::{definition, english};

/// The faults as `field code`, in order.
fn faults(definition: &Value) -> Vec<String> {
    let faults = parse(definition, &english()).err().unwrap_or_default();
    faults.iter().map(|fault| format!("{} {}", fault.field, fault.rule.code().as_str())).collect()
}

fn faults_of(fields: Value) -> Vec<String> {
    faults(&definition(fields))
}

fn faults_of_conditions(conditions: &Value) -> Vec<String> {
    faults_of(json!({ "conditions": conditions }))
}

#[test]
fn a_definition_needs_an_id_a_title_and_a_reward() {
    assert_eq!(faults(&json!({})), ["id required", "title required", "reward required"]);
    assert!(faults_of(json!({})).is_empty());
    for value in [json!(null), json!([]), json!("campaign"), json!(1)] {
        assert_eq!(faults(&value), [" not_an_object"], "{value}");
    }
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
    let wrong = json!({"id": "A", "reward": {"percent": 0}, "group": {"name": "g", "wins": "last"}, "x": 1});
    let faults = parse(&definition(wrong), &english()).unwrap_err();
    let shown: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(
        shown,
        [
            "x is not known here; the known fields are id, kind, title, starts_at, ends_at, conditions, reward, \
             limits, group, priority, control_percent",
            "id must have 1 to 64 characters of a-z, 0-9, _ and -, got \"A\"",
            "reward.percent must be between 1 and 10000, got 0",
            "group.wins must be one of first, highest, got \"last\"",
        ]
    );
    let faults = parse(&json!(null), &english()).unwrap_err();
    assert_eq!(faults[0].to_string(), "the definition must be an object");
}

#[test]
fn null_is_as_good_as_absent() {
    let nulls = json!({
        "kind": null, "starts_at": null, "ends_at": null, "conditions": null, "limits": null, "group": null,
        "priority": null, "control_percent": null, "reward": {"percent": null, "points": 5, "at_most": null},
    });
    let read = parse(&definition(nulls), &english()).unwrap();
    assert_eq!(read, parse(&definition(json!({"reward": {"points": 5}})), &english()).unwrap());
    let conditions = json!({
        "types": null, "windows": null, "source_prefixes": null, "attributes": null, "weekdays": null,
        "hours": null, "min_points": null, "ordinal": null, "member_since": null, "member_before": null,
        "members": null, "birthday": null,
    });
    assert!(faults_of_conditions(&conditions).is_empty());
    assert_eq!(
        faults_of(json!({"id": null, "title": {"en": null}})),
        ["id required", "title.en not_a_string"]
    );
    assert_eq!(faults_of_conditions(&json!({"types": [null]})), ["conditions.types.0 not_a_string"]);
}

#[test]
fn a_title_is_required_in_the_tenants_own_locale() {
    let definition = definition(json!({"title": {"de": "Frühling"}}));
    assert_eq!(faults(&definition), ["title.en required"]);
    assert!(parse(&definition, &Locale::new("de").unwrap()).is_ok());
}

#[test]
fn titles_are_short_and_few() {
    let title = |title: &str| faults_of(json!({"title": {"en": title}}));
    assert!(title(&"あ".repeat(100)).is_empty());
    assert_eq!(title(&"あ".repeat(101)), ["title.en too_long"]);
    assert_eq!(title(""), ["title.en blank"]);
    assert_eq!(title("\u{3000}\n"), ["title.en blank"]);
    assert_eq!(title("a\0b"), ["title.en nul_character"]);
    let many: serde_json::Map<_, _> =
        (0..21).map(|number| (format!("en-x{number:02}"), json!("t"))).collect();
    assert_eq!(faults_of(json!({ "title": many })), ["title too_many", "title.en required"]);
}

#[test]
fn a_campaign_ends_after_it_starts() {
    let run = |starts_at, ends_at| faults_of(json!({"starts_at": starts_at, "ends_at": ends_at}));
    assert!(run("2026-11-14T00:00:00Z", "2026-11-14T00:00:00.000001Z").is_empty());
    assert_eq!(run("2026-11-14T00:00:00Z", "2026-11-14T00:00:00Z"), ["ends_at contradiction"]);
    assert_eq!(run("2026-11-14T00:00:00Z", "2026-11-14T01:00:00+01:00"), ["ends_at contradiction"]);
}

#[test]
fn windows_that_contradict_are_refused() {
    let windows = |windows: Value| {
        faults_of(json!({
            "starts_at": "2026-11-14T00:00:00Z",
            "ends_at": "2026-11-21T00:00:00Z",
            "conditions": {"windows": windows},
        }))
    };
    assert!(windows(json!([{"from": "2026-11-20", "until": "2026-12-24"}])).is_empty());
    assert_eq!(
        windows(json!([
            {"from": "2026-11-15", "until": "2026-11-15"},
            {"from": "2026-11-15", "until": "2026-11-16"},
            {"from": "2026-12-15", "until": "2026-12-16"},
            {"from": "2026-10-15", "until": "2026-11-13"},
        ])),
        [
            "conditions.windows.0.until contradiction",
            "conditions.windows.2 contradiction",
            "conditions.windows.3 contradiction",
        ]
    );
}

#[test]
fn hours_are_in_one_day() {
    let hours =
        |from: &str, until: &str| faults_of_conditions(&json!({"hours": [{"from": from, "until": until}]}));
    assert!(hours("00:00", "24:00").is_empty());
    assert!(hours("23:59", "24:00").is_empty());
    assert_eq!(hours("22:00", "02:00"), ["conditions.hours.0.until contradiction"]);
    assert_eq!(hours("22:00", "22:00"), ["conditions.hours.0.until contradiction"]);
    assert_eq!(hours("24:00", "24:00"), ["conditions.hours.0.from not_a_time_of_day"]);
    assert_eq!(
        hours("7:00", "08:60"),
        ["conditions.hours.0.from not_a_time_of_day", "conditions.hours.0.until not_a_time_of_day",]
    );
}

#[test]
fn member_times_that_contradict_are_refused() {
    let conditions = json!({"member_since": "2026-03-01T00:00:00Z", "member_before": "2026-03-01T00:00:00Z"});
    assert_eq!(faults_of_conditions(&conditions), ["conditions.member_before contradiction"]);
}

#[test]
fn choices_that_exclude_each_other_are_refused() {
    assert_eq!(faults_of(json!({"reward": {}})), ["reward required"]);
    assert_eq!(faults_of(json!({"reward": {"percent": 1, "points": 1}})), ["reward contradiction"]);
    assert_eq!(faults_of_conditions(&json!({"ordinal": {}})), ["conditions.ordinal required"]);
    let both = json!({"ordinal": {"first": true, "every": 0, "of": "user"}});
    assert_eq!(
        faults_of_conditions(&both),
        [
            "conditions.ordinal.of invalid_choice",
            "conditions.ordinal.every out_of_range",
            "conditions.ordinal contradiction",
        ]
    );
}

#[test]
fn lists_have_an_item() {
    for name in ["types", "windows", "source_prefixes", "weekdays", "hours", "members"] {
        assert_eq!(faults_of_conditions(&json!({name: []})), [format!("conditions.{name} too_few")]);
        assert_eq!(faults_of_conditions(&json!({name: {}})), [format!("conditions.{name} not_an_array")]);
    }
    assert_eq!(
        faults_of_conditions(&json!({"attributes": {"sku": []}})),
        ["conditions.attributes.sku too_few"]
    );
    assert!(faults_of_conditions(&json!({"attributes": {}})).is_empty());
    let limits = json!({"per_user": [{"period": "day", "awards": 1}, {"period": "day", "points": 1}]});
    assert_eq!(faults_of(json!({ "limits": limits })), ["limits.per_user.1 duplicate_value"]);
    assert!(faults_of(json!({"limits": {"per_user": []}})).is_empty());
}

#[test]
fn a_limit_needs_a_number() {
    let limits = json!({"per_user": [{"period": "day"}], "budget": {"awards": null}});
    assert_eq!(
        faults_of(json!({ "limits": limits })),
        ["limits.per_user.0 required", "limits.budget required"]
    );
}

#[test]
fn numbers_are_integers_within_their_bounds() {
    let most = 9_007_199_254_740_991_u64;
    for (fields, expected) in [
        (json!({"reward": {"points": most}}), None),
        (json!({"reward": {"points": most + 1}}), Some("reward.points out_of_range")),
        (json!({"reward": {"points": u64::MAX}}), Some("reward.points out_of_range")),
        (json!({"reward": {"points": 1.0}}), Some("reward.points not_an_integer")),
        (json!({"reward": {"points": "1"}}), Some("reward.points not_an_integer")),
        (json!({"priority": -1_000_000}), None),
        (json!({"priority": -1_000_001}), Some("priority out_of_range")),
        (json!({"priority": 1_000_001}), Some("priority out_of_range")),
        (json!({"control_percent": 50}), None),
        (json!({"control_percent": -1}), Some("control_percent out_of_range")),
        (json!({"limits": {"budget": {"awards": 0}}}), Some("limits.budget.awards out_of_range")),
    ] {
        assert_eq!(faults_of(fields.clone()), Vec::from_iter(expected), "{fields}");
    }
}
