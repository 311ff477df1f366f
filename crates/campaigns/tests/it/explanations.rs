//! The two values that each failed check compared.

use serde_json::{Value, json};

use crate::scene::{AT, Scene};

/// Panics unless the last campaign has this reason, and compared these values.
fn assert_compared(scene: &Scene, reason: &str, expected: &str, actual: &str) {
    let verdict = scene.decide().verdicts.pop().unwrap();
    assert_eq!(crate::parts::shown(&verdict.result), reason);
    let compared = verdict.compared.unwrap();
    assert_eq!(
        (&*compared.expected.to_string(), &*compared.actual.to_string()),
        (expected, actual),
        "{reason}"
    );
}

#[test]
fn conditions_compare_what_they_want() {
    let since = "2026-01-01T00:00:00.000000Z";
    let many: Vec<String> = (0..50).map(|number| format!("v{number:02}")).collect();
    for (conditions, reason, expected, actual) in [
        (json!({"types": ["video", "quiz"]}), "type", "quiz, video", "code"),
        (
            json!({"windows": [{"from": "2026-12-01", "until": "2026-12-24"}]}),
            "window",
            "2026-12-01 until before 2026-12-24",
            "2026-11-25",
        ),
        (json!({"weekdays": ["sun", "mon"]}), "weekday", "mon, sun", "wed"),
        (
            json!({"hours": [{"from": "08:05", "until": "12:00"}]}),
            "hours",
            "08:05 until before 12:00",
            "12:00",
        ),
        (json!({"min_points": 101}), "min_points", "at least 101", "100"),
        (json!({"source_prefixes": ["B-", "A-"]}), "source_prefix", "A-, B-", "SPRING-1"),
        (json!({"attributes": {"sku": ["A2", "A1"]}}), "attribute.sku", "A1, A2", "B1"),
        (json!({"attributes": {"store": ["tokyo"]}}), "attribute.store", "tokyo", "absent"),
        // A long list is cut.
        (
            json!({"attributes": {"sku": many}}),
            "attribute.sku",
            "v00, v01, v02, v03, v04, v05, v06, v07, v08, v09 and 40 more",
            "B1",
        ),
        (
            json!({"member_since": "2026-02-01T00:00:00Z"}),
            "member_since",
            "created at 2026-02-01T00:00:00.000000Z or later",
            since,
        ),
        (json!({"member_before": since}), "member_before", &format!("created before {since}"), since),
        (json!({"members": ["ben", "cleo"]}), "not_a_listed_member", "one of 2 listed members", "aiko"),
        (json!({"birthday": {}}), "no_birth_date", "a birth date", "absent"),
        (json!({"ordinal": {"every": 3}}), "ordinal", "a multiple of 3", "1"),
    ] {
        let mut scene = Scene::with_conditions(&conditions);
        assert_compared(scene.set("attributes sku=B1"), reason, expected, actual);
    }
}

#[test]
fn birthdays_compare_dates() {
    let mut scene = Scene::with_conditions(&json!({"birthday": {"window": "week"}}));
    scene.set("born 1990-03-07");
    assert_compared(&scene, "not_birthday", "the week of the birthday 03-07", "2026-11-25");
    scene.set(&format!("born 1990-11-25; set {AT}"));
    let set_at = "set at 2026-11-25T12:00:00.000000Z";
    assert_compared(&scene, "birth_date_too_new", "set 30 days before", set_at);
    scene.set("set 2026-01-01T00:00:00Z").record();
    let expected = "no award for a birthday less than 330 days away";
    assert_compared(&scene, "already_this_year", expected, "an award for 2026-11-25");
}

#[test]
fn limits_compare_what_is_used() {
    let per_user = |limit: Value| json!({"per_user": [limit]});
    for (limits, reason, expected, actual) in [
        (
            per_user(json!({"period": "week", "awards": 1, "points": 500})),
            "user_limit",
            "at most 1 awards and 500 points in week:2026-11-23",
            "1 awards and 100 points",
        ),
        (
            json!({"budget": {"awards": 1, "points": 500}}),
            "budget",
            "awards and points left",
            "0 awards left, 400 points left",
        ),
    ] {
        let mut scene = Scene::new([json!({ "limits": limits })]);
        scene.record();
        assert_compared(&scene, reason, expected, actual);
    }
}

/// The first activity has used 100 points.
#[test]
fn a_limit_that_skips_compares_the_award_too() {
    let per_user = json!([{"period": "week", "awards": 9, "points": 150}]);
    let budget = |awards| json!({"awards": awards, "points": 150});
    for (limits, reason, expected, actual) in [
        (
            json!({ "per_user": per_user }),
            "user_limit",
            "at most 9 awards and 150 points in week:2026-11-23",
            "1 awards and 100 points beside an award of 100",
        ),
        (json!({"budget": budget(9)}), "budget", "at least 100 points left", "8 awards left, 50 points left"),
        (json!({"budget": budget(1)}), "budget", "awards and points left", "0 awards left, 50 points left"),
    ] {
        let mut limits = limits;
        limits["on_points_limit"] = "skip".into();
        let mut scene = Scene::new([json!({ "limits": limits })]);
        scene.record();
        assert_compared(&scene, reason, expected, actual);
    }
}

#[test]
fn combined_campaigns_compare_with_each_other() {
    let (points, half) = (json!({"percent": 100}), json!({"percent": 50}));
    let both = "points 100 and priority 5 of the winner";
    let id = "all else being equal, an id before a";
    for (wins, priority, reward, expected, actual) in [
        ("first", 3, &half, "priority 5 of the winner", "priority 3"),
        ("first", 5, &half, id, "b"),
        ("highest", 9, &half, "points 100 of the winner", "points 50"),
        ("highest", 3, &points, both, "points 100 and priority 3"),
        ("highest", 5, &points, id, "b"),
    ] {
        let group = json!({"name": "g", "wins": wins});
        let scene = Scene::new([
            json!({"id": "a", "group": group, "priority": 5}),
            json!({"id": "b", "group": group, "priority": priority, "reward": reward}),
        ]);
        assert_compared(&scene, "lost_to:a", expected, actual);
    }
    let small = (0..21).map(|number| json!({"id": format!("c{number:02}"), "reward": {"percent": 1}}));
    let mut scene = Scene::new(small.chain([json!({"id": "a", "priority": 1, "reward": {"percent": 980}})]));
    assert_compared(&scene, "ceiling", "at most 1000 points in all", "0 points left");
    scene.model.options.ceiling_factor = 0;
    assert_compared(&scene, "too_many_bonuses", "at most 20 bonuses", "20 bonuses before it");
}

#[test]
fn amounts_and_times_compare_their_bounds() {
    for (parts, reason, expected, actual) in [
        ("points 1", "rounds_to_zero", "at least 1 point", "50 percent of 1"),
        ("points 0", "base_not_positive", "more than 0 points", "0"),
        ("source t1:reversal", "base_not_positive", "no reversal", "t1:reversal"),
        (
            "happened 2026-11-01T00:00:00Z",
            "too_late",
            "not before 2026-11-18T12:00:00.000000Z",
            "2026-11-01T00:00:00.000000Z",
        ),
        ("type order", "type", "a type other than order", "order"),
    ] {
        assert_compared(
            Scene::new([json!({"reward": {"percent": 50}})]).set(parts),
            reason,
            expected,
            actual,
        );
    }
}

#[test]
fn versions_compare_their_times_and_states() {
    let (at, later) = ("2026-11-25T12:00:00.000000Z", "2027-01-01T00:00:00.000000Z");
    let (starts, ends) = (json!({ "starts_at": later }), json!({ "ends_at": AT }));
    let (before, from) = (format!("until before {at}"), format!("from {later} on"));
    for (fields, state, takes_over, reason, expected, actual) in [
        (&ends, "active", "", "outside_window", before.as_str(), at),
        (&starts, "active", "", "outside_window", &from, at),
        (&json!({}), "active", later, "not_started", &from, at),
        (&json!({}), "ended", "", "outside_window", "an active version", "ended"),
        (&json!({}), "draft", later, "not_started", "an active version", "draft"),
        (&json!({}), "paused", "2026-01-01T00:00:00Z", "paused", "an active version", "paused"),
    ] {
        let mut scene = Scene::new([]);
        scene.model.versions = vec![crate::scene::version(1, state, takes_over, fields.clone())];
        assert_compared(&scene, reason, expected, actual);
    }
}
