//! Warnings about valid definitions.

use pointbook_campaigns::warnings;
use pointbook_domain::ActivityType;
use serde_json::{Value, json};

use crate::scene::{AT, campaign, time};

/// The warnings as `code other`.
fn found(new: Value, others: &[Value]) -> Vec<String> {
    let others: Vec<_> = others.iter().cloned().map(campaign).collect();
    let others: Vec<_> = others.iter().collect();
    let warnings = warnings(&campaign(new), &others, time(AT), ActivityType::is_documented);
    let shown = warnings.iter().map(|warning| {
        let other = warning.other.as_ref().map(|id| format!(" {id}")).unwrap_or_default();
        format!("{}{other}", warning.code.as_str())
    });
    shown.collect()
}

fn alone(new: Value) -> Vec<String> {
    found(new, &[])
}

#[test]
fn a_usual_campaign_has_no_warnings() {
    assert!(alone(json!({})).is_empty());
    assert!(alone(crate::hostile::full_definition()).iter().all(|warning| warning == "has_ended"));
}

#[test]
fn types_that_the_tenant_lacks_are_named() {
    let new = campaign(json!({"conditions": {"types": ["code", "visit", "walk"]}}));
    let warnings = warnings(&new, &[], time(AT), ActivityType::is_documented);
    let messages: Vec<_> = warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(messages, ["the tenant has no activity type visit", "the tenant has no activity type walk"]);
}

#[test]
fn a_campaign_that_has_ended_is_noticed() {
    assert_eq!(alone(json!({"ends_at": AT})), ["has_ended"]);
    assert!(alone(json!({"ends_at": "2026-11-25T12:00:00.000001Z"})).is_empty());
    let windows = |until: &str| json!({"conditions": {"windows": [{"from": "2026-11-01", "until": until}]}});
    assert_eq!(alone(windows("2026-11-25")), ["has_ended"], "noon is the end of the day before in UTC-12");
    assert!(alone(windows("2026-11-26")).is_empty());
    let message = |new: Value| warnings(&campaign(new), &[], time(AT), |_| true).remove(0).message;
    assert_eq!(message(windows("2026-11-25")), "all days of the campaign are in the past");
    assert_eq!(message(json!({"ends_at": AT})), "the campaign has ended");
}

#[test]
fn weekdays_that_the_days_lack_are_noticed() {
    // Wednesday to Friday.
    let window = json!([{"from": "2026-12-02", "until": "2026-12-05"}]);
    let weekdays = |days: Value| alone(json!({"conditions": {"weekdays": days, "windows": window}}));
    assert!(weekdays(json!(["fri"])).is_empty());
    assert_eq!(weekdays(json!(["sat", "sun", "mon", "tue"])), ["never_matches"]);
    let run = |days: Value| {
        alone(json!({
            "starts_at": "2026-12-02T12:00:00Z", "ends_at": "2026-12-02T18:00:00Z", "conditions": {"weekdays": days},
        }))
    };
    assert!(run(json!(["thu"])).is_empty(), "in UTC+14 it is Thursday");
    assert_eq!(run(json!(["fri", "tue"])), ["never_matches"]);
    assert!(alone(json!({"conditions": {"weekdays": ["fri"]}})).is_empty());
}

#[test]
fn members_that_come_after_the_end_are_noticed() {
    let new =
        json!({"ends_at": "2026-12-01T00:00:00Z", "conditions": {"member_since": "2026-12-01T00:00:00Z"}});
    assert_eq!(alone(new), ["never_matches"]);
}

#[test]
fn limits_that_never_bind_are_noticed() {
    let limits =
        |per_user: Value, budget: Value| alone(json!({"limits": {"per_user": per_user, "budget": budget}}));
    let day_and_month = json!([{"period": "day", "awards": 5}, {"period": "month", "awards": 4}]);
    assert_eq!(limits(day_and_month, json!(null)), ["limit_never_binds"]);
    let week_and_month =
        |week: i64| json!([{"period": "week", "points": week}, {"period": "month", "points": 50}]);
    assert!(limits(week_and_month(100), json!(null)).is_empty(), "a week may be in two months");
    assert_eq!(limits(week_and_month(101), json!(null)), ["limit_never_binds"]);
    let ever = json!([{"period": "ever", "awards": 3, "points": 30}]);
    assert!(limits(ever.clone(), json!({"awards": 3, "points": 30})).is_empty());
    assert_eq!(limits(ever, json!({"awards": 2, "points": 29})), ["limit_never_binds"; 2]);
}

#[test]
fn a_percentage_that_gives_nothing_for_the_least_points_is_noticed() {
    let new = |least: i64| json!({"reward": {"percent": 25}, "conditions": {"min_points": least}});
    assert_eq!(alone(new(3)), ["rounds_to_zero"]);
    assert!(alone(new(4)).is_empty());
    assert!(alone(json!({"reward": {"percent": 25}})).is_empty());
}

#[test]
fn campaigns_that_add_up_are_named() {
    let other = json!({"id": "summer"});
    assert_eq!(
        found(json!({}), &[other.clone(), json!({"id": "autumn"})]),
        ["overlaps summer", "overlaps autumn"]
    );
    assert!(found(json!({}), &[json!({})]).is_empty(), "another version of the same campaign");
    assert!(found(json!({}), &[json!({"id": "past", "ends_at": AT})]).is_empty());
    let past_days =
        json!({"id": "past", "conditions": {"windows": [{"from": "2026-11-01", "until": "2026-11-02"}]}});
    assert!(found(json!({}), &[past_days]).is_empty());
    let grouped = |id: &str| json!({"id": id, "group": {"name": "g"}});
    assert!(found(grouped("a"), &[grouped("b")]).is_empty());
    assert_eq!(found(grouped("a"), &[json!({"id": "b", "group": {"name": "h"}})]), ["overlaps b"]);
}

#[test]
fn campaigns_that_exclude_each_other_do_not_overlap() {
    let conditions = |id: &str, conditions: &Value| json!({"id": id, "conditions": conditions});
    for (one, other) in [
        (json!({"types": ["code"]}), json!({"types": ["video"]})),
        (
            json!({"windows": [{"from": "2026-12-01", "until": "2026-12-02"}]}),
            json!({"windows": [{"from": "2026-12-02", "until": "2026-12-03"}]}),
        ),
        (json!({"weekdays": ["mon"]}), json!({"weekdays": ["tue", "wed"]})),
        (
            json!({"hours": [{"from": "08:00", "until": "09:00"}]}),
            json!({"hours": [{"from": "09:00", "until": "10:00"}]}),
        ),
        (json!({"members": ["aiko"]}), json!({"members": ["ben"]})),
        (json!({"source_prefixes": ["A-"]}), json!({"source_prefixes": ["B-"]})),
        (json!({"attributes": {"sku": ["A"], "store": ["x"]}}), json!({"attributes": {"store": ["y"]}})),
        (json!({"member_since": "2026-01-01T00:00:00Z"}), json!({"member_before": "2026-01-01T00:00:00Z"})),
        (json!({"ordinal": {"first": true}}), json!({"ordinal": {"every": 2}})),
    ] {
        let (a, b) = (conditions("a", &one), conditions("b", &other));
        assert!(found(a.clone(), std::slice::from_ref(&b)).is_empty(), "{one} {other}");
        assert!(found(b, std::slice::from_ref(&a)).is_empty(), "{other} {one}");
        assert_eq!(found(conditions("c", &one), &[a]), ["overlaps a"]);
    }
}

#[test]
fn conditions_that_can_hold_together_overlap() {
    let conditions = |id: &str, conditions: &Value| json!({"id": id, "conditions": conditions});
    for (one, other) in [
        (json!({"types": ["code"]}), json!({"weekdays": ["mon"]})),
        (json!({"source_prefixes": ["A-"]}), json!({"source_prefixes": ["A-SPRING-"]})),
        (json!({"attributes": {"sku": ["A"]}}), json!({"attributes": {"store": ["y"]}})),
        (json!({"ordinal": {"first": true}}), json!({"ordinal": {"every": 2, "of": "all"}})),
        (json!({"ordinal": {"first": true}}), json!({"ordinal": {"every": 1}})),
    ] {
        assert_eq!(found(conditions("a", &one), &[conditions("b", &other)]), ["overlaps b"], "{one} {other}");
    }
}

#[test]
fn times_that_do_not_meet_do_not_overlap() {
    let run = |id: &str, starts_at: &str, ends_at: &str| json!({"id": id, "starts_at": starts_at, "ends_at": ends_at});
    let december = run("a", "2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z");
    let january = run("b", "2027-01-01T00:00:00Z", "2027-02-01T00:00:00Z");
    assert!(found(december.clone(), std::slice::from_ref(&january)).is_empty());
    assert!(found(january, std::slice::from_ref(&december)).is_empty());
    let windows =
        json!({"id": "c", "conditions": {"windows": [{"from": "2027-01-02", "until": "2027-01-09"}]}});
    assert!(found(windows.clone(), std::slice::from_ref(&december)).is_empty());
    assert!(found(december, &[windows]).is_empty());
}

#[test]
fn groups_with_two_rules_are_noticed() {
    let grouped = |id: &str, wins: &str| json!({"id": id, "group": {"name": "g", "wins": wins}});
    assert_eq!(found(grouped("a", "first"), &[grouped("b", "highest")]), ["group_rules_differ b"]);
}
