//! Limits per user, budgets, and amounts.

use pointbook_campaigns::{Period, PeriodKey};
use pointbook_domain::points::MAX_POINTS;
use pointbook_domain::zones::timestamp_text::parse_day;
use serde_json::{Value, json};

use crate::scene::Scene;

fn scene(limits: &Value) -> Scene {
    Scene::new([json!({ "limits": limits })])
}

/// The days of a key are those of the period in the model, too.
#[test]
fn a_key_names_the_period_of_a_day_to_the_ends_of_time() {
    for (day, keys, week) in [
        (
            "2027-01-03",
            "day:2027-01-03 week:2026-12-28 month:2027-01 year:2027 ever",
            "2026-12-28 2027-01-03",
        ),
        (
            "0001-01-01",
            "day:0001-01-01 week:0001-01-01 month:0001-01 year:0001 ever",
            "0001-01-01 0001-01-07",
        ),
        (
            "9999-12-31",
            "day:9999-12-31 week:9999-12-27 month:9999-12 year:9999 ever",
            "9999-12-27 9999-12-31",
        ),
    ] {
        let key = |period: Period| PeriodKey::of(period, parse_day(day).unwrap());
        let shown: Vec<_> = Period::ALL.iter().map(|&period| key(period).to_string()).collect();
        assert_eq!(shown.join(" "), keys);
        let days = [Period::Week, Period::Ever].map(|period| {
            let (first, last) = key(period).days();
            format!("{first} {last}")
        });
        assert_eq!(days, [week, "0001-01-01 9999-12-31"]);
    }
}

#[test]
fn awards_are_counted_per_period() {
    for (period, last, next) in [
        ("day", "2026-11-25T23:59:59.999999Z", "2026-11-26T00:00:00Z"),
        ("week", "2026-11-29T23:59:59.999999Z", "2026-11-30T00:00:00Z"),
        ("month", "2026-11-30T23:59:59.999999Z", "2026-12-01T00:00:00Z"),
        ("year", "2026-12-31T23:59:59.999999Z", "2027-01-01T00:00:00Z"),
    ] {
        let mut scene = scene(&json!({"per_user": [{"period": period, "awards": 2}]}));
        let found =
            scene.sequence(["at 2026-11-25T00:00:00Z", &format!("at {last}"), "", &format!("at {next}")]);
        assert_eq!(found, ["applied 100", "applied 100", "user_limit", "applied 100"], "{period}");
    }
    let mut scene = scene(&json!({"per_user": [{"period": "ever", "awards": 1}]}));
    assert_eq!(
        scene.sequence(["", "at 2036-11-25T00:00:00Z", "user ben"]),
        ["applied 100", "user_limit", "applied 100"]
    );
}

#[test]
fn limits_of_points_clip_or_skip_the_last_award() {
    let day = json!([{"period": "day", "points": 250}]);
    let several = json!([{"period": "ever", "points": 120}, {"period": "day", "awards": 5, "points": 80}]);
    for (limits, activities, expected) in [
        (
            json!({"per_user": day}),
            &["", "", "", ""][..],
            &["applied 100", "applied 100", "clipped to 50 of 100 by user_limit", "user_limit"][..],
        ),
        (
            json!({"per_user": day, "on_points_limit": "skip"}),
            &["", "", "", "points 50"],
            &["applied 100", "applied 100", "user_limit", "applied 50"],
        ),
        // The tightest one binds.
        (
            json!({"per_user": several}),
            &["", "", "at 2026-11-26T12:00:00Z", "at 2026-11-27T12:00:00Z"],
            &[
                "clipped to 80 of 100 by user_limit",
                "user_limit",
                "clipped to 40 of 100 by user_limit",
                "user_limit",
            ],
        ),
        // A budget counts all users.
        (json!({"budget": {"awards": 1}}), &["", "user ben"], &["applied 100", "budget"]),
        (
            json!({"budget": {"points": 130}}),
            &["", "user ben", ""],
            &["applied 100", "clipped to 30 of 100 by budget", "budget"],
        ),
        (
            json!({"budget": {"points": 130}, "on_points_limit": "skip"}),
            &["", "", "points 30"],
            &["applied 100", "budget", "applied 30"],
        ),
        // The last limit that clips is named.
        (
            json!({"per_user": [{"period": "day", "points": 80}], "budget": {"points": 70}}),
            &[""],
            &["clipped to 70 of 100 by budget"],
        ),
        (
            json!({"per_user": [{"period": "day", "points": 70}], "budget": {"points": 80}}),
            &[""],
            &["clipped to 70 of 100 by user_limit"],
        ),
        (json!({"budget": {"points": 60}}), &["points 60"], &["applied 60"]),
    ] {
        assert_eq!(scene(&limits).sequence(activities.iter().copied()), expected, "{limits}");
    }
}

#[test]
fn rewards_round_down_and_a_reward_of_zero_is_none() {
    let most = format!("applied {MAX_POINTS}");
    let percent = format!("applied {}", MAX_POINTS / 100);
    for (reward, base, expected) in [
        (json!({"percent": 25}), 3, "rounds_to_zero"),
        (json!({"percent": 25}), 4, "applied 1"),
        (json!({"percent": 25}), 7, "applied 1"),
        (json!({"percent": 1}), 99, "rounds_to_zero"),
        (json!({"percent": 50}), 101, "applied 50"),
        (json!({"percent": 150}), 1, "applied 1"),
        (json!({"percent": 10_000, "at_most": 500}), 100, "applied 500"),
        (json!({"percent": 100, "at_most": 500}), 499, "applied 499"),
        (json!({"percent": 100, "at_most": 500}), 501, "applied 500"),
        (json!({"points": 7}), 1, "applied 7"),
        (json!({"points": 9, "at_most": 7}), 1, "applied 7"),
        (json!({"percent": 100}), MAX_POINTS, &most),
        (json!({"percent": 1}), MAX_POINTS, &percent),
    ] {
        let mut scene = Scene::new([json!({ "reward": reward })]);
        assert_eq!(scene.set(&format!("points {base}")).result(), expected, "{reward} {base}");
    }
}

#[test]
fn a_sum_beyond_the_most_points_is_an_error() {
    let mut scene = Scene::new([json!({}), json!({"id": "summer", "reward": {"points": 1}})]);
    scene.set(&format!("points {MAX_POINTS}"));
    assert_eq!(scene.decide().awards.unwrap_err().max, MAX_POINTS);
    assert_eq!(scene.results(), [format!("spring: applied {MAX_POINTS}"), "summer: applied 1".to_owned()]);
    scene.set(&format!("points {}", MAX_POINTS - 1));
    assert_eq!(scene.awards().len(), 2);

    let large = (0..25).map(|number| json!({"id": format!("c{number:02}"), "reward": {"percent": 10_000}}));
    let mut scene = Scene::new(large);
    scene.set(&format!("points {MAX_POINTS}"));
    scene.model.options.ceiling_factor = u32::MAX;
    assert!(scene.decide().awards.is_err());
    let results = scene.results();
    assert_eq!(results[0], format!("c00: applied {}", MAX_POINTS * 100));
    assert_eq!(results[20], "c20: too_many_bonuses");
}
