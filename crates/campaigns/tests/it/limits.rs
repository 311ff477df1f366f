//! Limits per user, budgets, and amounts.

use pointbook_domain::UserId;
use pointbook_domain::points::MAX_POINTS;
use serde_json::{Value, json};

use crate::scene::{Scene, points};

fn scene(limits: &Value) -> Scene {
    let mut scene = Scene::new();
    scene.add(json!({ "limits": limits }));
    scene
}

/// The results of activities of 100 points at these times, one after the other.
fn results_at(scene: &mut Scene, times: &[&str]) -> Vec<String> {
    let results = times.iter().map(|at| {
        scene.at(at);
        let result = scene.result();
        scene.record();
        result
    });
    results.collect()
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
        let found = results_at(&mut scene, &["2026-11-25T00:00:00Z", last, last, next]);
        assert_eq!(found, ["applied 100", "applied 100", "user_limit", "applied 100"], "{period}");
    }
    let mut scene = scene(&json!({"per_user": [{"period": "ever", "awards": 1}]}));
    let found = results_at(&mut scene, &["2026-11-25T00:00:00Z", "2036-11-25T00:00:00Z"]);
    assert_eq!(found, ["applied 100", "user_limit"]);
}

#[test]
fn a_week_may_span_two_years() {
    let mut scene = scene(&json!({"per_user": [{"period": "week", "awards": 1}]}));
    let times =
        ["2026-12-28T00:00:00Z", "2027-01-01T00:00:00Z", "2027-01-03T23:59:59Z", "2027-01-04T00:00:00Z"];
    assert_eq!(results_at(&mut scene, &times), ["applied 100", "user_limit", "user_limit", "applied 100"]);
}

#[test]
fn a_points_limit_clips_the_last_award() {
    let mut scene = scene(&json!({"per_user": [{"period": "day", "points": 250}]}));
    let at = "2026-11-25T12:00:00Z";
    assert_eq!(
        results_at(&mut scene, &[at; 4]),
        ["applied 100", "applied 100", "clipped to 50 of 100 by user_limit", "user_limit"]
    );
}

#[test]
fn a_points_limit_may_skip_the_last_award() {
    let mut scene =
        scene(&json!({"per_user": [{"period": "day", "points": 250}], "on_points_limit": "skip"}));
    let at = "2026-11-25T12:00:00Z";
    assert_eq!(results_at(&mut scene, &[at; 3]), ["applied 100", "applied 100", "user_limit"]);
    scene.points = points(50);
    assert_eq!(scene.result(), "applied 50", "an award that fits is not skipped");
}

#[test]
fn the_tightest_of_several_limits_binds() {
    let mut scene = scene(&json!({"per_user": [
        {"period": "ever", "points": 120},
        {"period": "day", "awards": 5, "points": 80},
    ]}));
    let times =
        ["2026-11-25T12:00:00Z", "2026-11-25T12:00:00Z", "2026-11-26T12:00:00Z", "2026-11-27T12:00:00Z"];
    assert_eq!(
        results_at(&mut scene, &times),
        [
            "clipped to 80 of 100 by user_limit",
            "user_limit",
            "clipped to 40 of 100 by user_limit",
            "user_limit"
        ]
    );
}

#[test]
fn limits_count_each_user_alone() {
    let mut scene = scene(&json!({"per_user": [{"period": "ever", "awards": 1}]}));
    scene.record();
    assert_eq!(scene.result(), "user_limit");
    scene.user_id = UserId::new("ben").unwrap();
    assert_eq!(scene.result(), "applied 100");
}

#[test]
fn a_budget_counts_all_users() {
    let mut scene = scene(&json!({"budget": {"awards": 1}}));
    scene.record();
    scene.user_id = UserId::new("ben").unwrap();
    assert_eq!(scene.result(), "budget");
}

#[test]
fn the_points_of_a_budget_clip_or_skip() {
    let at = "2026-11-25T12:00:00Z";
    let mut clip = scene(&json!({"budget": {"points": 130}}));
    assert_eq!(results_at(&mut clip, &[at; 3]), ["applied 100", "clipped to 30 of 100 by budget", "budget"]);
    let mut skip = scene(&json!({"budget": {"points": 130}, "on_points_limit": "skip"}));
    assert_eq!(results_at(&mut skip, &[at; 2]), ["applied 100", "budget"]);
    skip.points = points(30);
    assert_eq!(skip.result(), "applied 30");
}

#[test]
fn the_last_limit_that_clips_is_named() {
    let limits = json!({"per_user": [{"period": "day", "points": 80}], "budget": {"points": 70}});
    assert_eq!(scene(&limits).result(), "clipped to 70 of 100 by budget");
    let limits = json!({"per_user": [{"period": "day", "points": 70}], "budget": {"points": 80}});
    assert_eq!(scene(&limits).result(), "clipped to 70 of 100 by user_limit");
    let mut scene = scene(&limits);
    scene.options.ceiling_factor = 1;
    scene.points = points(60);
    assert_eq!(scene.result(), "applied 60", "a limit that fits exactly clips nothing");
}

#[test]
fn rewards_round_down_and_a_reward_of_zero_is_none() {
    for (reward, base, expected) in [
        (json!({"percent": 25}), 3, "rounds_to_zero"),
        (json!({"percent": 25}), 4, "applied 1"),
        (json!({"percent": 50}), 101, "applied 50"),
        (json!({"percent": 10_000, "at_most": 500}), 100, "applied 500"),
        (json!({"percent": 100, "at_most": 500}), 499, "applied 499"),
        (json!({"points": 7}), 1, "applied 7"),
    ] {
        let mut scene = Scene::new();
        scene.add(json!({ "reward": reward }));
        scene.points = points(base);
        assert_eq!(scene.result(), expected, "{reward} {base}");
    }
}

#[test]
fn the_most_points_are_exact() {
    let mut scene = Scene::new();
    scene.add(json!({}));
    scene.points = points(MAX_POINTS);
    assert_eq!(scene.result(), format!("applied {MAX_POINTS}"));
    assert_eq!(scene.evaluate().unwrap()[0].points.get(), MAX_POINTS);
}

#[test]
fn a_sum_beyond_the_most_points_is_an_error() {
    let mut scene = Scene::new();
    scene.points = points(MAX_POINTS);
    scene.add(json!({}));
    scene.add(json!({"id": "summer", "reward": {"points": 1}}));
    let error = scene.evaluate().unwrap_err();
    assert_eq!(error.max, MAX_POINTS);
    assert_eq!(scene.results(), [format!("spring: applied {MAX_POINTS}"), "summer: applied 1".to_owned()]);
    scene.points = points(MAX_POINTS - 1);
    assert_eq!(scene.evaluate().unwrap().len(), 2);
}

#[test]
fn the_largest_percentages_do_not_overflow() {
    let mut scene = Scene::new();
    scene.points = points(MAX_POINTS);
    scene.options.ceiling_factor = u32::MAX;
    for number in 0..25 {
        scene.add(json!({"id": format!("c{number:02}"), "reward": {"percent": 10_000}}));
    }
    assert!(scene.evaluate().is_err());
    let results = scene.results();
    assert_eq!(results[0], format!("c00: applied {}", MAX_POINTS * 100));
    assert_eq!(results[20], "c20: too_many_bonuses");
}
