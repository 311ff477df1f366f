//! Definitions that want to cost much or to say nonsense.

use pointbook_campaigns::{Fault, MAX_FAULTS, parse};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::parts::locale;
use crate::scene::definition;

fn faults(definition: &Value) -> Vec<Fault> {
    parse(definition, &locale("en")).unwrap_err()
}

/// The most characters of one fault.
const MAX_FAULT_CHARS: usize = 500;

fn assert_bounded(faults: &[Fault]) {
    assert!((1..=MAX_FAULTS).contains(&faults.len()), "{}", faults.len());
    assert!(faults.iter().all(|fault| fault.to_string().chars().count() <= MAX_FAULT_CHARS), "{faults:?}");
}

#[test]
fn ten_thousand_items_are_one_fault_and_ten_thousand_conditions_a_hundred() {
    for (name, max) in [
        ("types", 20),
        ("windows", 50),
        ("source_prefixes", 50),
        ("weekdays", 7),
        ("hours", 24),
        ("members", 1_000),
    ] {
        let found = faults(&definition(json!({"conditions": {name: vec![json!(1); 10_000]}})));
        let shown: Vec<_> = found.iter().map(ToString::to_string).collect();
        assert_eq!(shown, [format!("conditions.{name} must have at most {max} items, got 10000")]);
    }
    let limits = definition(json!({"limits": {"per_user": vec![json!({}); 10_000]}}));
    assert_eq!(faults(&limits).len(), 1);
    let members: Map<_, _> = (0..10_000).map(|number| (format!("n{number}"), json!(["v"]))).collect();
    let found = faults(&definition(json!({"conditions": {"attributes": members}})));
    assert_eq!((found.len(), found[0].rule.code().as_str()), (1, "too_many"));
    let found = faults(&definition(json!({ "conditions": members })));
    assert_eq!(found.len(), MAX_FAULTS);
    assert_bounded(&found);
}

#[test]
fn long_names_and_values_are_cut() {
    let long = "あ".repeat(100_000);
    let found = faults(&json!({
        "id": long, "kind": long, "starts_at": long, &long: 1,
        "title": {"en": long, &long: "t"},
        "conditions": {"weekdays": [long], "attributes": {&long: [long]}, "hours": [{"from": long, "until": long}]},
        "reward": {"percent": long},
    }));
    assert_eq!(found.len(), 12, "{found:?}");
    assert_bounded(&found);
}

#[test]
fn deep_nesting_is_not_followed() {
    for name in ["id", "title", "conditions", "reward", "limits", "group", "priority", "other"] {
        let mut fields = definition(json!({}));
        fields[name] = (0..5_000).fold(json!(1), |inner, _| Value::Array(vec![inner]));
        assert_bounded(&faults(&fields));
        forget(fields);
    }
}

/// Takes a value apart level by level, because dropping it at once would need a deep stack.
fn forget(value: Value) {
    let mut rest = vec![value];
    while let Some(value) = rest.pop() {
        match value {
            Value::Array(items) => rest.extend(items),
            Value::Object(members) => rest.extend(members.into_iter().map(|(_, member)| member)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}

#[test]
fn wrong_types_everywhere_are_named_one_by_one() {
    let known = known_fields();
    for wrong in [json!(true), json!(7.5), json!("…"), json!([[]]), json!({"a": {}})] {
        for (pointer, _) in &known {
            let mut fields = full_definition();
            *fields.pointer_mut(pointer).unwrap() = wrong.clone();
            let Err(found) = parse(&fields, &locale("en")) else {
                assert!(may_be(pointer, &wrong), "{pointer} {wrong}");
                continue;
            };
            let field = pointer[1..].replace('/', ".");
            let is_named = found.iter().any(|fault| fault.field.starts_with(&field));
            assert!(is_named, "{field} {wrong} {found:?}");
            assert_bounded(&found);
        }
    }
}

/// Strings that any text field takes.
fn may_be(pointer: &str, value: &Value) -> bool {
    let is_text = pointer.starts_with("/title/")
        || pointer.starts_with("/conditions/source_prefixes/")
        || pointer.starts_with("/conditions/members/")
        || pointer.starts_with("/conditions/attributes/store/");
    is_text && value.is_string() || pointer == "/conditions/ordinal/first" && value.is_boolean()
}

/// A definition with all fields.
pub(crate) fn full_definition() -> Value {
    json!({
        "id": "spring",
        "kind": "campaign",
        "title": {"en": "Spring", "de": "Frühling"},
        "starts_at": "2026-11-14T00:00:00Z",
        "ends_at": "2026-11-21T00:00:00Z",
        "conditions": {
            "types": ["code", "video"],
            "windows": [{"from": "2026-11-14", "until": "2026-11-21"}],
            "source_prefixes": ["SPRING-"],
            "attributes": {"store": ["tokyo", "osaka"]},
            "weekdays": ["mon", "tue"],
            "hours": [{"from": "16:00", "until": "18:00"}],
            "min_points": 10,
            "ordinal": {"first": true, "of": "all"},
            "member_since": "2026-01-01T00:00:00Z",
            "member_before": "2027-01-01T00:00:00Z",
            "members": ["aiko", "ben"],
            "birthday": {"window": "week", "pays": "each"},
        },
        "reward": {"percent": 100, "at_most": 500},
        "limits": {
            "per_user": [{"period": "day", "awards": 1, "points": 500}],
            "budget": {"awards": 1_000, "points": 50_000},
            "on_points_limit": "skip",
        },
        "group": {"name": "weekend", "wins": "highest"},
        "priority": 10,
        "control_percent": 5,
    })
}

/// The path of each value in a full definition.
fn known_fields() -> Vec<(String, Value)> {
    let mut found = Vec::new();
    let mut rest = vec![(String::new(), full_definition())];
    while let Some((pointer, value)) = rest.pop() {
        match &value {
            Value::Object(members) => {
                rest.extend(members.iter().map(|(name, value)| (format!("{pointer}/{name}"), value.clone())));
            }
            Value::Array(items) => {
                let items = items.iter().enumerate();
                rest.extend(items.map(|(at, value)| (format!("{pointer}/{at}"), value.clone())));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
        if !pointer.is_empty() {
            found.push((pointer, value));
        }
    }
    found
}

#[test]
fn an_unknown_member_is_named_at_every_depth() {
    let objects = known_fields().into_iter().filter(|(pointer, value)| {
        value.is_object() && pointer != "/title" && pointer != "/conditions/attributes"
    });
    let mut count = 0;
    for (pointer, _) in objects {
        let mut fields = full_definition();
        fields.pointer_mut(&pointer).unwrap()["colour"] = json!("red");
        let found = faults(&fields);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].field, format!("{}.colour", pointer[1..].replace('/', ".")));
        count += 1;
    }
    assert_eq!(count, 10);
}

/// Any JSON value that is not deep.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
        Just(json!("2026-11-20")),
        Just(json!("mon")),
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map("[a-z]{1,6}", inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_value_in_any_field_is_read_or_refused(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any_json()), 1..4),
    ) {
        let known = known_fields();
        let mut fields = full_definition();
        for (at, value) in changes {
            let (pointer, _) = at.get(&known);
            if let Some(field) = fields.pointer_mut(pointer) {
                *field = value;
            }
        }
        match parse(&fields, &locale("en")) {
            Ok(campaign) => {
                let json = serde_json::from_str(&campaign.to_json()).unwrap();
                prop_assert_eq!(parse(&json, &locale("en")), Ok(campaign));
            }
            Err(found) => assert_bounded(&found),
        }
    }
}
