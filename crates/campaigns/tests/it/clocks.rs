//! Midnights and changes of the clock in far time zones.

use serde_json::{Value, json};

use crate::scene::{Scene, day};

/// Panics unless the result at each time is as expected.
fn assert_at(zone: &str, conditions: &Value, cases: &[(&str, &str)]) {
    for (at, expected) in cases {
        let mut scene = Scene::with_conditions(conditions);
        scene.zone(zone);
        scene.at(at);
        assert_eq!(scene.result(), *expected, "{zone} {at} {conditions}");
    }
}

/// Panics unless a window, a weekday and a birthday of Wednesday, 2026-11-25 begin and end with these microseconds.
fn assert_day(zone: &str, [before, first, last, after]: [&str; 4]) {
    let window = json!({"windows": [{"from": "2026-11-25", "until": "2026-11-26"}]});
    for (conditions, refused) in [(window, "window"), (json!({"weekdays": ["wed"]}), "weekday")] {
        let cases = [(before, refused), (first, "applied 100"), (last, "applied 100"), (after, refused)];
        assert_at(zone, &conditions, &cases);
    }
    for (at, expected) in
        [(before, "not_birthday"), (first, "applied 100"), (last, "applied 100"), (after, "not_birthday")]
    {
        let mut scene = Scene::with_conditions(&json!({"birthday": {}}));
        scene.birth_date = Some(day("1990-11-25"));
        scene.zone(zone);
        scene.at(at);
        assert_eq!(scene.result(), expected, "{zone} {at}");
    }
}

#[test]
fn a_local_day_begins_14_hours_ahead_of_utc() {
    assert_day(
        "Pacific/Kiritimati",
        [
            "2026-11-24T09:59:59.999999Z",
            "2026-11-24T10:00:00.000001Z",
            "2026-11-25T09:59:59.999999Z",
            "2026-11-25T10:00:00Z",
        ],
    );
}

#[test]
fn a_local_day_begins_11_hours_behind_utc() {
    assert_day(
        "Pacific/Pago_Pago",
        [
            "2026-11-25T10:59:59.999999Z",
            "2026-11-25T11:00:00.000001Z",
            "2026-11-26T10:59:59.999999Z",
            "2026-11-26T11:00:00Z",
        ],
    );
}

#[test]
fn a_local_day_begins_at_a_quarter_of_an_hour() {
    assert_day(
        "Asia/Kathmandu",
        [
            "2026-11-24T18:14:59.999999Z",
            "2026-11-24T18:15:00.000001Z",
            "2026-11-25T18:14:59.999999Z",
            "2026-11-25T18:15:00Z",
        ],
    );
}

#[test]
fn the_day_on_which_summer_begins_has_23_hours() {
    let conditions = json!({"windows": [{"from": "2026-03-29", "until": "2026-03-30"}]});
    assert_at(
        "Europe/Berlin",
        &conditions,
        &[
            ("2026-03-28T22:59:59.999999Z", "window"),
            ("2026-03-28T23:00:00.000001Z", "applied 100"),
            ("2026-03-29T21:59:59.999999Z", "applied 100"),
            ("2026-03-29T22:00:00.000001Z", "window"),
        ],
    );
}

#[test]
fn the_day_on_which_summer_ends_has_25_hours() {
    let conditions = json!({"windows": [{"from": "2026-10-25", "until": "2026-10-26"}]});
    assert_at(
        "Europe/Berlin",
        &conditions,
        &[
            ("2026-10-24T21:59:59.999999Z", "window"),
            ("2026-10-24T22:00:00.000001Z", "applied 100"),
            ("2026-10-25T22:59:59.999999Z", "applied 100"),
            ("2026-10-25T23:00:00.000001Z", "window"),
        ],
    );
}

#[test]
fn hours_that_end_in_the_repeated_hour_hold_in_both() {
    let conditions = json!({"hours": [{"from": "01:00", "until": "02:30"}]});
    assert_at(
        "Europe/Berlin",
        &conditions,
        &[
            ("2026-10-24T22:59:59.999999Z", "hours"),
            ("2026-10-24T23:00:00Z", "applied 100"),
            // 02:29 in summer time, then 02:30.
            ("2026-10-25T00:29:59.999999Z", "applied 100"),
            ("2026-10-25T00:30:00Z", "hours"),
            // The clock goes back to 02:00.
            ("2026-10-25T00:59:59.999999Z", "hours"),
            ("2026-10-25T01:00:00Z", "applied 100"),
            ("2026-10-25T01:29:59.999999Z", "applied 100"),
            ("2026-10-25T01:30:00Z", "hours"),
        ],
    );
}

#[test]
fn hours_inside_the_skipped_hour_never_hold() {
    let conditions = json!({"hours": [{"from": "02:00", "until": "03:00"}]});
    assert_at(
        "Europe/Berlin",
        &conditions,
        &[("2026-03-29T00:59:59.999999Z", "hours"), ("2026-03-29T01:00:00Z", "hours")],
    );
}

#[test]
fn periods_of_limits_follow_the_local_calendar() {
    let mut scene = Scene::new();
    scene.zone("Pacific/Kiritimati");
    scene.add(json!({"limits": {"per_user": [{"period": "year", "awards": 1}]}}));
    scene.at("2026-12-31T09:59:59.999999Z");
    assert_eq!(scene.record(), ["spring 100"]);
    assert_eq!(scene.result(), "user_limit");
    scene.at("2026-12-31T10:00:00Z");
    assert_eq!(scene.record(), ["spring 100"], "it is 2027 there");
}

#[test]
fn starts_and_ends_do_not_follow_the_time_zone() {
    let fields = json!({"starts_at": "2026-11-25T10:00:00Z", "ends_at": "2026-11-25T13:00:00+01:00"});
    for (at, expected) in [
        ("2026-11-25T09:59:59.999999Z", "outside_window"),
        ("2026-11-25T10:00:00Z", "applied 100"),
        ("2026-11-25T11:59:59.999999Z", "applied 100"),
        ("2026-11-25T12:00:00Z", "outside_window"),
    ] {
        let mut scene = Scene::new();
        scene.add(fields.clone());
        scene.zone("Pacific/Kiritimati");
        scene.at(at);
        assert_eq!(scene.result(), expected, "{at}");
    }
}
