//! The two values that each failed check compared.

use pointbook_campaigns::VersionState;
use pointbook_domain::Locale;
use serde_json::{Value, json};

use crate::scene::{AT, Scene, attributes, day, kind, points, time};

/// Panics unless the only campaign has this reason, and compared these values.
fn assert_compared(scene: &Scene, reason: &str, expected: &str, actual: &str) {
    assert_eq!(scene.result(), reason);
    let compared = scene.compared().unwrap();
    assert_eq!(
        (&*compared.expected.to_string(), &*compared.actual.to_string()),
        (expected, actual),
        "{reason}"
    );
}

#[test]
fn conditions_of_the_activity_compare_what_they_want() {
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
    ] {
        let mut scene = Scene::with_conditions(&conditions);
        scene.attributes = attributes(&[("sku", "B1")]);
        assert_compared(&scene, reason, expected, actual);
    }
}

#[test]
fn conditions_of_the_member_compare_what_they_want() {
    let since = "2026-01-01T00:00:00.000000Z";
    for (conditions, reason, expected, actual) in [
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
        assert_compared(&Scene::with_conditions(&conditions), reason, expected, actual);
    }
}

#[test]
fn birthdays_compare_dates() {
    let mut scene = Scene::with_conditions(&json!({"birthday": {"window": "week"}}));
    scene.birth_date = Some(day("1990-03-07"));
    assert_compared(&scene, "not_birthday", "the week of the birthday 03-07", "2026-11-25");
    scene.birth_date = Some(day("1990-11-25"));
    scene.birth_date_set_at = Some(time(AT));
    let set_at = "set at 2026-11-25T12:00:00.000000Z";
    assert_compared(&scene, "birth_date_too_new", "set 30 days before", set_at);
    scene.birth_date_set_at = None;
    scene.record();
    let expected = "no award for a birthday less than 330 days away";
    assert_compared(&scene, "already_this_year", expected, "an award for 2026-11-25");
}

#[test]
fn limits_compare_what_is_used() {
    let mut scene = Scene::new();
    scene.add(json!({"limits": {"per_user": [{"period": "week", "awards": 1, "points": 500}]}}));
    scene.record();
    let expected = "at most 1 awards and 500 points in week:2026-11-23";
    assert_compared(&scene, "user_limit", expected, "1 awards and 100 points");

    let mut scene = Scene::new();
    scene.add(json!({"limits": {"budget": {"awards": 1, "points": 500}}}));
    scene.record();
    assert_compared(&scene, "budget", "awards and points left", "0 awards left, 400 points left");
}

#[test]
fn combined_campaigns_compare_with_each_other() {
    let compared = |wins: &str, priority: i32| {
        let group = json!({"name": "g", "wins": wins});
        let mut scene = Scene::new();
        scene.add(json!({"id": "a", "group": group, "priority": 5}));
        scene.add(json!({"id": "b", "group": group, "priority": priority, "reward": {"percent": 50}}));
        let compared = scene.explain().pop().unwrap().compared.unwrap();
        format!("{} / {}", compared.expected, compared.actual)
    };
    assert_eq!(compared("first", 3), "priority 5 of the winner / priority 3");
    assert_eq!(compared("highest", 9), "points 100 of the winner / points 50");
}

#[test]
fn amounts_and_times_compare_their_bounds() {
    let mut scene = Scene::new();
    scene.add(json!({"reward": {"percent": 50}}));
    scene.points = points(1);
    assert_compared(&scene, "rounds_to_zero", "at least 1 point", "50 percent of 1");
    scene.points = points(-3);
    assert_compared(&scene, "base_not_positive", "more than 0 points", "-3");
    scene.points = points(100);
    scene.at = time("2026-11-01T00:00:00Z");
    let oldest = "not before 2026-11-18T12:00:00.000000Z";
    assert_compared(&scene, "too_late", oldest, "2026-11-01T00:00:00.000000Z");
    scene.at(AT);
    scene.kind = kind("order");
    assert_compared(&scene, "type", "a type other than order", "order");
}

#[test]
fn versions_compare_their_times_and_states() {
    let at = "2026-11-25T12:00:00.000000Z";
    let outside = |fields: Value| {
        let mut scene = Scene::new();
        scene.add(fields);
        scene
    };
    let scene = outside(json!({"ends_at": AT}));
    assert_compared(&scene, "outside_window", &format!("until before {at}"), at);
    let scene = outside(json!({"starts_at": "2027-01-01T00:00:00Z"}));
    assert_compared(&scene, "outside_window", "from 2027-01-01T00:00:00.000000Z on", at);
    let mut scene = outside(json!({}));
    scene.versions[0].from = time("2027-01-01T00:00:00Z");
    assert_compared(&scene, "outside_window", "from 2027-01-01T00:00:00.000000Z on", at);
    scene.versions[0].state = VersionState::Ended;
    assert_compared(&scene, "outside_window", "an active version", "ended");
    scene.versions[0].state = VersionState::Draft;
    assert_compared(&scene, "not_started", "an active version", "draft");
    (scene.versions[0].state, scene.versions[0].from) = (VersionState::Paused, time("2026-01-01T00:00:00Z"));
    assert_compared(&scene, "paused", "an active version", "paused");
}

#[test]
fn long_lists_are_cut() {
    let values: Vec<String> = (0..50).map(|number| format!("v{number:02}")).collect();
    let scene = Scene::with_conditions(&json!({"attributes": {"sku": values}}));
    let compared = scene.compared().unwrap();
    assert_eq!(compared.expected.to_string(), "v00, v01, v02, v03, v04, v05, v06, v07, v08, v09 and 40 more");
}

#[test]
fn the_end_of_a_breakdown_compares_with_its_bounds() {
    let mut scene = Scene::new();
    scene.locale = Some(Locale::new("de").unwrap());
    for number in 0..21 {
        scene.add(json!({"id": format!("c{number:02}"), "reward": {"percent": 1}}));
    }
    scene.add(json!({"id": "a", "priority": 1, "reward": {"percent": 980}}));
    scene.options.ceiling_factor = 10;
    let compared = scene.explain().pop().unwrap().compared.unwrap();
    assert_eq!(
        (&*compared.expected.to_string(), &*compared.actual.to_string()),
        ("at most 1000 points in all", "0 points left")
    );
    scene.options.ceiling_factor = 0;
    let compared = scene.explain().pop().unwrap().compared.unwrap();
    assert_eq!(
        (&*compared.expected.to_string(), &*compared.actual.to_string()),
        ("at most 20 bonuses", "20 bonuses before it")
    );
}
