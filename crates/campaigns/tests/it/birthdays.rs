//! Birthday campaigns.

use pointbook_domain::Feb29;
use serde_json::{Value, json};

use crate::scene::{Scene, day, time};

/// A user who was born on this day, and a birthday campaign.
fn scene(birthday: &Value, born: &str) -> Scene {
    let mut scene = Scene::new();
    scene.add(json!({"kind": "birthday", "conditions": {"birthday": birthday}}));
    scene.birth_date = Some(day(born));
    scene
}

#[test]
fn a_user_without_a_birth_date_has_no_birthday() {
    assert_eq!(Scene::with_conditions(&json!({"birthday": {}})).result(), "no_birth_date");
}

#[test]
fn a_birthday_is_the_whole_local_day() {
    let mut scene = scene(&json!({}), "1990-11-25");
    scene.zone("Asia/Tokyo");
    for (at, expected) in [
        ("2026-11-24T14:59:59.999999Z", "not_birthday"),
        ("2026-11-24T15:00:00Z", "applied 100"),
        ("2026-11-25T14:59:59.999999Z", "applied 100"),
        ("2026-11-25T15:00:00Z", "not_birthday"),
    ] {
        scene.at(at);
        assert_eq!(scene.result(), expected, "{at}");
    }
}

#[test]
fn a_birthday_may_be_a_week_or_a_month() {
    for (window, at, expected) in [
        ("week", "2026-11-22T12:00:00Z", "not_birthday"),
        ("week", "2026-11-23T12:00:00Z", "applied 100"),
        ("week", "2026-11-29T12:00:00Z", "applied 100"),
        ("week", "2026-11-30T12:00:00Z", "not_birthday"),
        ("month", "2026-10-31T12:00:00Z", "not_birthday"),
        ("month", "2026-11-01T12:00:00Z", "applied 100"),
        ("month", "2026-11-30T12:00:00Z", "applied 100"),
        ("month", "2026-12-01T12:00:00Z", "not_birthday"),
    ] {
        let mut scene = scene(&json!({"window": window}), "1990-11-25");
        scene.at(at);
        assert_eq!(scene.result(), expected, "{window} {at}");
    }
}

#[test]
fn a_week_that_spans_two_years_pays_once() {
    let mut scene = scene(&json!({"window": "week"}), "1990-01-01");
    scene.at("2026-12-28T12:00:00Z");
    assert_eq!(scene.record(), ["spring 100"]);
    scene.at("2027-01-02T12:00:00Z");
    assert_eq!(scene.result(), "already_this_year");
    // The next birthday is on a Saturday.
    scene.at("2027-12-26T12:00:00Z");
    assert_eq!(scene.result(), "not_birthday");
    scene.at("2027-12-27T12:00:00Z");
    assert_eq!(scene.record(), ["spring 100"]);
}

#[test]
fn the_leap_day_is_celebrated_where_the_setting_says() {
    for (feb29, at, expected) in [
        (Feb29::Feb28, "2026-02-28T12:00:00Z", "applied 100"),
        (Feb29::Feb28, "2026-03-01T12:00:00Z", "not_birthday"),
        (Feb29::March1, "2026-02-28T12:00:00Z", "not_birthday"),
        (Feb29::March1, "2026-03-01T12:00:00Z", "applied 100"),
        (Feb29::Feb28, "2028-02-29T12:00:00Z", "applied 100"),
        (Feb29::March1, "2028-02-29T12:00:00Z", "applied 100"),
        (Feb29::Feb28, "2028-02-28T12:00:00Z", "not_birthday"),
        (Feb29::March1, "2028-03-01T12:00:00Z", "not_birthday"),
    ] {
        let mut scene = scene(&json!({}), "2000-02-29");
        scene.options.feb29 = feb29;
        scene.at(at);
        assert_eq!(scene.result(), expected, "{feb29:?} {at}");
    }
}

#[test]
fn a_birth_date_counts_thirty_days_after_it_was_set() {
    let mut scene = scene(&json!({}), "1990-11-25");
    for (set_at, expected) in [
        ("2026-10-26T12:00:00Z", "applied 100"),
        ("2026-10-26T12:00:00.000001Z", "birth_date_too_new"),
        ("2026-11-26T12:00:00Z", "birth_date_too_new"),
    ] {
        scene.birth_date_set_at = Some(time(set_at));
        assert_eq!(scene.result(), expected, "{set_at}");
    }
    scene.options.birth_date_days = 0;
    scene.birth_date_set_at = Some(time("2026-11-26T12:00:00Z"));
    assert_eq!(scene.result(), "applied 100", "0 sets no bound");
}

#[test]
fn first_pays_once_and_each_pays_for_the_whole_window() {
    for (pays, second) in [("first", "already_this_year"), ("each", "applied 100")] {
        let mut scene = scene(&json!({"pays": pays}), "1990-11-25");
        assert_eq!(scene.record(), ["spring 100"]);
        assert_eq!(scene.result(), second);
        scene.at("2027-11-25T12:00:00Z");
        assert_eq!(scene.result(), "applied 100", "{pays}: the next year pays again");
    }
}

#[test]
fn a_changed_birth_date_pays_330_days_later() {
    for (born, expected) in
        [("1990-10-20", "already_this_year"), ("1990-10-21", "applied 100"), ("1990-11-26", "applied 100")]
    {
        for pays in ["first", "each"] {
            let mut scene = scene(&json!({"pays": pays}), "1990-11-25");
            scene.record();
            scene.birth_date = Some(day(born));
            scene.at(&format!("2027-{}T12:00:00Z", &born[5..]));
            assert_eq!(scene.result(), expected, "{born} {pays}");
        }
    }
}

#[test]
fn an_award_names_the_birthday_that_it_pays_for() {
    let mut scene = scene(&json!({"window": "week"}), "1990-01-01");
    scene.at("2026-12-28T12:00:00Z");
    assert_eq!(scene.evaluate().unwrap()[0].birthday, Some(day("2027-01-01")));
}
