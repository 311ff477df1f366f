//! Warnings about valid definitions.

use pointbook_campaigns::{Warning, warnings};
use pointbook_domain::TenantSettings;
use serde_json::{Value, json};

use crate::scene::{AT, campaign, time};

fn warned(new: Value, others: &[Value]) -> Vec<Warning> {
    let others: Vec<_> = others.iter().cloned().map(campaign).collect();
    warnings(&campaign(new), &others.iter().collect::<Vec<_>>(), time(AT), &TenantSettings::default())
}

/// The warnings as `code other`.
fn found(new: Value, others: &[Value]) -> Vec<String> {
    let shown = warned(new, others).into_iter().map(|warning| {
        let other = warning.other.as_ref().map(|id| format!(" {id}")).unwrap_or_default();
        format!("{}{other}", warning.code.as_str())
    });
    shown.collect()
}

#[test]
fn a_definition_alone_has_warnings() {
    let days = |until: &str| json!({"from": "2026-11-01", "until": until});
    let windows = |until: &str| json!({"conditions": {"windows": [days(until)]}});
    let weekdays = |days: Value| {
        // Wednesday to Friday.
        json!({"conditions": {"weekdays": days, "windows": [{"from": "2026-12-02", "until": "2026-12-05"}]}})
    };
    let run = |days: Value| {
        let (starts_at, ends_at) = ("2026-12-02T12:00:00Z", "2026-12-02T18:00:00Z");
        json!({"starts_at": starts_at, "ends_at": ends_at, "conditions": {"weekdays": days}})
    };
    let limits = |per_user: Value, budget: Value| json!({"limits": {"per_user": per_user, "budget": budget}});
    let week_and_month = |week: i64| {
        let per_user = json!([{"period": "week", "points": week}, {"period": "month", "points": 50}]);
        limits(per_user, json!(null))
    };
    let ever = json!([{"period": "ever", "awards": 3, "points": 30}]);
    let day_and_month = json!([{"period": "day", "awards": 5}, {"period": "month", "awards": 4}]);
    let quarter = |least: i64| json!({"reward": {"percent": 25}, "conditions": {"min_points": least}});
    let late_members =
        json!({"ends_at": "2026-12-01T00:00:00Z", "conditions": {"member_since": "2026-12-01T00:00:00Z"}});
    for (new, expected) in [
        (json!({}), &[][..]),
        (crate::hostile::full_definition(), &["has_ended"]),
        (json!({"ends_at": AT}), &["has_ended"]),
        (json!({"ends_at": "2026-11-25T12:00:00.000001Z"}), &[]),
        // Noon is the end of the day before in UTC-12.
        (windows("2026-11-25"), &["has_ended"]),
        (windows("2026-11-26"), &[]),
        (json!({"conditions": {"windows": [days("2026-11-25"), days("2026-12-01")]}}), &[]),
        (weekdays(json!(["fri"])), &[]),
        (weekdays(json!(["sat", "sun", "mon", "tue"])), &["never_matches"]),
        // In UTC+14 it is Thursday.
        (run(json!(["thu"])), &[]),
        (run(json!(["fri", "tue"])), &["never_matches"]),
        (json!({"conditions": {"weekdays": ["fri"]}}), &[]),
        (late_members, &["never_matches"]),
        (limits(day_and_month, json!(null)), &["limit_never_binds"]),
        // A week may be in two months.
        (week_and_month(100), &[]),
        (week_and_month(101), &["limit_never_binds"]),
        (limits(ever.clone(), json!({"awards": 3, "points": 30})), &[]),
        (limits(ever, json!({"awards": 2, "points": 29})), &["limit_never_binds", "limit_never_binds"]),
        (quarter(3), &["rounds_to_zero"]),
        (quarter(4), &[]),
        (json!({"reward": {"percent": 25}}), &[]),
    ] {
        assert_eq!(found(new.clone(), &[]), expected, "{new}");
    }
    for (new, expected) in [
        (windows("2026-11-25"), &["all days of the campaign are in the past"][..]),
        (json!({"ends_at": AT}), &["the campaign has ended"]),
        (
            json!({"conditions": {"types": ["code", "visit", "walk"]}}),
            &["the tenant has no activity type visit", "the tenant has no activity type walk"],
        ),
    ] {
        assert!(warned(new, &[]).iter().map(|warning| &*warning.message).eq(expected.iter().copied()));
    }
}

/// An activity gets at most ten times its base points.
#[test]
fn a_reward_above_the_ceiling_is_named() {
    let reward = |reward: Value, least: Value| json!({"reward": reward, "conditions": {"min_points": least}});
    let few = |most: i64| {
        let cut = "the ceiling of 10 times the base points cuts the reward of activities with less than";
        Some(format!("{cut} {most} points"))
    };
    let all = "the ceiling of 10 times the base points cuts the reward of all activities".to_owned();
    for (new, expected) in [
        (reward(json!({"points": 100}), json!(null)), few(10)),
        (reward(json!({"points": 101}), json!(10)), few(11)),
        (reward(json!({"points": 100}), json!(10)), None),
        (reward(json!({"points": 10}), json!(null)), None),
        (reward(json!({"points": 100, "at_most": 20}), json!(null)), few(2)),
        (reward(json!({"percent": 1_000}), json!(null)), None),
        (reward(json!({"percent": 1_001}), json!(null)), Some(all)),
        (reward(json!({"percent": 1_001, "at_most": 50}), json!(null)), few(5)),
        (reward(json!({"percent": 1_001, "at_most": 50}), json!(5)), None),
    ] {
        let found: Vec<_> = warned(new.clone(), &[]).into_iter().map(|warning| warning.message).collect();
        assert_eq!(found, Vec::from_iter(expected), "{new}");
    }
    let settings = TenantSettings { campaign_ceiling_factor: 0, ..TenantSettings::default() };
    let new = campaign(reward(json!({"points": 100}), json!(null)));
    assert_eq!(warnings(&new, &[], time(AT), &settings), []);
}

#[test]
fn campaigns_that_add_up_are_named() {
    let others = [json!({"id": "summer"}), json!({"id": "autumn"})];
    assert_eq!(found(json!({}), &others), ["overlaps summer", "overlaps autumn"]);
    let past = json!({"windows": [{"from": "2026-11-01", "until": "2026-11-02"}]});
    let grouped = |id: &str, name: &str, wins: &str| json!({"id": id, "group": {"name": name, "wins": wins}});
    for (new, other, expected) in [
        // Another version of the same campaign.
        (json!({}), json!({}), &[][..]),
        (json!({}), json!({"id": "past", "ends_at": AT}), &[]),
        (json!({}), json!({"id": "past", "conditions": past}), &[]),
        (grouped("a", "g", "first"), grouped("b", "g", "first"), &[]),
        (grouped("a", "g", "first"), grouped("b", "h", "first"), &["overlaps b"]),
        (grouped("a", "g", "first"), grouped("b", "g", "highest"), &["group_rules_differ b"]),
    ] {
        assert_eq!(found(new, &[other]), expected);
    }
}

#[test]
fn campaigns_that_exclude_each_other_do_not_overlap() {
    let day = |from: &str, until: &str| json!({"conditions": {"windows": [{"from": from, "until": until}]}});
    let run = |starts_at: &str, ends_at: &str| json!({"starts_at": starts_at, "ends_at": ends_at});
    let hours = |from: &str, until: &str| json!({"conditions": {"hours": [{"from": from, "until": until}]}});
    let one = |name: &str, value: Value| json!({"conditions": {name: value}});
    let december = || run("2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z");
    for (a, b, overlap) in [
        (one("types", json!(["code"])), one("types", json!(["video"])), false),
        (one("types", json!(["code", "quiz"])), one("types", json!(["quiz"])), true),
        (one("types", json!(["code"])), one("weekdays", json!(["mon"])), true),
        (day("2026-12-01", "2026-12-02"), day("2026-12-02", "2026-12-03"), false),
        (one("weekdays", json!(["mon"])), one("weekdays", json!(["tue", "wed"])), false),
        (hours("08:00", "09:00"), hours("09:00", "10:00"), false),
        (one("members", json!(["aiko"])), one("members", json!(["ben"])), false),
        (one("source_prefixes", json!(["A-"])), one("source_prefixes", json!(["B-"])), false),
        (one("source_prefixes", json!(["A-"])), one("source_prefixes", json!(["A-SPRING-"])), true),
        (
            one("attributes", json!({"sku": ["A"], "store": ["x"]})),
            one("attributes", json!({"store": ["y"]})),
            false,
        ),
        (one("attributes", json!({"sku": ["A"]})), one("attributes", json!({"store": ["y"]})), true),
        (
            one("member_since", json!("2026-01-01T00:00:00Z")),
            one("member_before", json!("2026-01-01T00:00:00Z")),
            false,
        ),
        (one("ordinal", json!({"first": true})), one("ordinal", json!({"every": 2})), false),
        (one("ordinal", json!({"first": true})), one("ordinal", json!({"every": 2, "of": "all"})), true),
        (one("ordinal", json!({"first": true})), one("ordinal", json!({"every": 1})), true),
        (december(), run("2027-01-01T00:00:00Z", "2027-02-01T00:00:00Z"), false),
        (december(), day("2027-01-02", "2027-01-09"), false),
    ] {
        let with = |fields: &Value, id: &str| {
            let mut fields = fields.clone();
            fields["id"] = json!(id);
            fields
        };
        let overlaps = |id: &str| if overlap { vec![format!("overlaps {id}")] } else { Vec::new() };
        assert_eq!(found(with(&a, "a"), &[with(&b, "b")]), overlaps("b"), "{a} {b}");
        assert_eq!(found(with(&b, "b"), &[with(&a, "a")]), overlaps("a"), "{b} {a}");
        assert_eq!(found(with(&a, "c"), &[with(&a, "a")]), ["overlaps a"], "{a}");
    }
}
