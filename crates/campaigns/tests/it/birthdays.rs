//! Birthday campaigns.

use serde_json::{Value, json};

use crate::naive::data::Feb29;
use crate::scene::Scene;

/// A user who was born on this day, and a birthday campaign.
fn scene(birthday: &Value, born: &str) -> Scene {
    let mut scene = Scene::with_conditions(&json!({ "birthday": birthday }));
    scene.set(&format!("born {born}"));
    scene
}

/// The results at noon of these days, with the birth dates that are there.
fn sequence(birthday: &Value, days: &[(&str, &str)]) -> Vec<String> {
    let parts = days.iter().map(|(born, day)| format!("born {born}; at {day}T12:00:00Z"));
    Scene::with_conditions(&json!({ "birthday": birthday }))
        .sequence(parts.collect::<Vec<_>>().iter().map(String::as_str))
}

#[test]
fn a_user_without_a_birth_date_has_no_birthday() {
    assert_eq!(Scene::with_conditions(&json!({"birthday": {}})).result(), "no_birth_date");
}

#[test]
fn a_birthday_is_a_day_or_its_week_or_its_month() {
    let (day, week, month) = (json!({}), json!({"window": "week"}), json!({"window": "month"}));
    for (window, born, inside, outside) in [
        (&day, "1990-11-25", ["2026-11-25"; 2], ["2026-11-24", "2026-11-26"]),
        (&week, "1990-11-25", ["2026-11-23", "2026-11-29"], ["2026-11-22", "2026-11-30"]),
        (&month, "1990-11-25", ["2026-11-01", "2026-11-30"], ["2026-10-31", "2026-12-01"]),
        // A week that spans two years, from Monday to Sunday.
        (&week, "1990-01-03", ["2026-12-28", "2027-01-03"], ["2026-12-27", "2027-01-04"]),
        (&week, "1990-12-28", ["2026-12-28", "2027-01-03"], ["2026-12-27", "2027-01-04"]),
        // The first and the last week of the calendar.
        (&week, "1990-01-07", ["0001-01-01", "0001-01-07"], ["0001-01-08", "9999-12-31"]),
        (&week, "1990-12-27", ["9999-12-27", "9999-12-31"], ["9999-12-26", "0001-01-01"]),
        (&week, "1990-01-01", ["0001-01-01", "0001-01-07"], ["0001-01-08", "9999-12-31"]),
    ] {
        let cases = inside
            .map(|day| (day, "applied 100"))
            .into_iter()
            .chain(outside.map(|day| (day, "not_birthday")));
        for (day, expected) in cases {
            let result = scene(window, born).set(&format!("at {day}T12:00:00Z")).result();
            assert_eq!(result, expected, "{window} {born} {day}");
        }
    }
}

#[test]
fn the_leap_day_is_celebrated_where_the_setting_says() {
    for (window, day, is_celebrated) in [
        ("day", "2026-02-28", [true, false]),
        ("day", "2026-03-01", [false, true]),
        ("day", "2028-02-28", [false, false]),
        ("day", "2028-02-29", [true, true]),
        ("day", "2028-03-01", [false, false]),
        ("month", "2026-02-01", [true, false]),
        ("month", "2026-03-31", [false, true]),
        ("month", "2028-02-01", [true, true]),
    ] {
        let mut scene = scene(&json!({"window": window}), "2000-02-29");
        scene.set(&format!("at {day}T12:00:00Z"));
        let found = [Feb29::Feb28, Feb29::March1].map(|feb29| {
            scene.model.options.feb29 = feb29;
            scene.result() == "applied 100"
        });
        assert_eq!(found, is_celebrated, "{window} {day}");
    }
}

#[test]
fn a_birth_date_counts_thirty_days_after_it_was_set() {
    let mut scene = scene(&json!({}), "1990-11-25");
    let too_new = "2026-10-26T12:00:00.000001Z";
    for (set, expected) in [("2026-10-26T12:00:00Z", "applied 100"), (too_new, "birth_date_too_new")] {
        assert_eq!(scene.set(&format!("set {set}")).result(), expected, "{set}");
    }
    scene.model.options.birth_date_days = 0;
    assert_eq!(scene.set("set 2026-11-26T12:00:00Z").result(), "applied 100", "0 sets no bound");
}

#[test]
fn first_pays_once_and_each_pays_for_the_whole_window() {
    for (pays, second) in [("first", "already_this_year"), ("each", "applied 100")] {
        let days = ["2026-11-25", "2026-11-25", "2027-11-25"].map(|day| ("1990-11-25", day));
        assert_eq!(sequence(&json!({"pays": pays}), &days), ["applied 100", second, "applied 100"], "{pays}");
    }
    // The week spans two years. The birthday after it is on a Saturday.
    let days = ["2026-12-28", "2027-01-02", "2027-12-26", "2027-12-27"].map(|day| ("1990-01-01", day));
    let found = sequence(&json!({"window": "week"}), &days);
    assert_eq!(found, ["applied 100", "already_this_year", "not_birthday", "applied 100"]);
}

#[test]
fn a_changed_birth_date_pays_330_days_later() {
    for (before, later, expected) in [
        ("2026-11-25", "2027-10-20", "already_this_year"),
        ("2026-11-25", "2027-10-21", "applied 100"),
        ("2025-12-31", "2026-11-25", "already_this_year"),
        ("2025-12-30", "2026-11-25", "applied 100"),
        // An activity that comes late.
        ("2027-10-21", "2026-11-25", "already_this_year"),
    ] {
        for pays in ["first", "each"] {
            let days = [before, later].map(|day| (day.replacen("20", "19", 1), day));
            let days = days.each_ref().map(|(born, day)| (born.as_str(), *day));
            assert_eq!(sequence(&json!({"pays": pays}), &days), ["applied 100", expected], "{before} {pays}");
        }
    }
}

#[test]
fn an_award_names_the_birthday_that_it_pays_for() {
    let mut scene = scene(&json!({"window": "week"}), "1990-01-01");
    let award = scene.set("at 2026-12-28T12:00:00Z").decide().awards.unwrap().remove(0);
    assert_eq!(award.birthday.unwrap().to_string(), "2027-01-01");
}
