//! Each condition on its own.

use serde_json::json;

use crate::counters::View;
use crate::parts::{Parts, shown};
use crate::scene::{Scene, assert_results};

#[test]
fn an_activity_earns_with_base_points_above_0_unless_it_is_an_order_or_a_reversal() {
    assert_results(
        &json!({}),
        &[
            ("type video", "applied 100"),
            ("type order", "type"),
            ("points 1", "applied 1"),
            ("points 0", "base_not_positive"),
            ("points -100", "base_not_positive"),
            ("points 0; type order", "base_not_positive"),
            ("source t1:reversal", "base_not_positive"),
            ("source t1:reversal:x", "applied 100"),
        ],
    );
}

#[test]
fn conditions_look_at_the_activity() {
    let types = json!({"types": ["video", "code"]});
    let cases = [("type code", "applied 100"), ("type video", "applied 100"), ("type quiz", "type")];
    assert_results(&types, &cases);
    assert_results(&types, &[("type order", "type")]);
    assert_results(&json!({"min_points": 10}), &[("points 9", "min_points"), ("points 10", "applied 10")]);
    assert_results(
        &json!({"source_prefixes": ["SPRING-", "ä"]}),
        &[
            ("source SPRING-1", "applied 100"),
            ("source SPRING-", "applied 100"),
            ("source SPRING", "source_prefix"),
            ("source spring-1", "source_prefix"),
            ("source x-SPRING-1", "source_prefix"),
            ("source ä1", "applied 100"),
        ],
    );
    assert_results(
        &json!({"attributes": {"store": ["tokyo", "osaka"], "sku": ["A1"]}}),
        &[
            ("attributes store=tokyo,sku=A1", "applied 100"),
            ("attributes store=osaka,sku=A1,channel=app", "applied 100"),
            ("attributes store=tokyo,sku=A2", "attribute.sku"),
            ("attributes store=kyoto,sku=A1", "attribute.store"),
            ("attributes store=Tokyo", "attribute.sku"),
            ("", "attribute.sku"),
        ],
    );
}

#[test]
fn windows_and_hours_are_half_open() {
    assert_results(
        &json!({"windows": [
            {"from": "2026-12-01", "until": "2026-12-02"},
            {"from": "2026-11-14", "until": "2026-11-21"},
        ]}),
        &[
            ("at 2026-11-13T23:59:59.999999Z", "window"),
            ("at 2026-11-14T00:00:00Z", "applied 100"),
            ("at 2026-11-20T23:59:59.999999Z", "applied 100"),
            ("at 2026-11-21T00:00:00Z", "window"),
            ("at 2026-11-30T23:59:59.999999Z", "window"),
            ("at 2026-12-01T00:00:00Z", "applied 100"),
            ("at 2026-12-02T00:00:00Z", "window"),
        ],
    );
    assert_results(
        &json!({"hours": [{"from": "16:00", "until": "18:00"}, {"from": "22:30", "until": "24:00"}]}),
        &[
            ("at 2026-11-25T15:59:59.999999Z", "hours"),
            ("at 2026-11-25T16:00:00Z", "applied 100"),
            ("at 2026-11-25T17:59:59.999999Z", "applied 100"),
            ("at 2026-11-25T18:00:00Z", "hours"),
            ("at 2026-11-25T22:29:59Z", "hours"),
            ("at 2026-11-25T23:59:59.999999Z", "applied 100"),
            ("at 2026-11-26T00:00:00Z", "hours"),
        ],
    );
}

#[test]
fn weekdays_follow_the_calendar_to_the_ends_of_time() {
    for (day, weekday, other) in [
        ("1969-12-31", "wed", "thu"),
        ("1970-01-01", "thu", "wed"),
        ("2024-02-29", "thu", "fri"),
        ("2026-11-29", "sun", "mon"),
        ("0001-01-01", "mon", "tue"),
        ("9999-12-31", "fri", "sat"),
    ] {
        let last = format!("at {day}T23:59:59.999999Z");
        assert_results(&json!({"weekdays": [weekday]}), &[(&last, "applied 100")]);
        assert_results(&json!({"weekdays": [other]}), &[(&last, "weekday")]);
    }
}

#[test]
fn conditions_look_at_the_member() {
    assert_results(
        &json!({"member_since": "2026-03-01T00:00:00Z", "member_before": "2026-04-01T00:00:00+02:00"}),
        &[
            ("created 2026-02-28T23:59:59.999999Z", "member_since"),
            ("created 2026-03-01T00:00:00Z", "applied 100"),
            ("created 2026-03-31T21:59:59.999999Z", "applied 100"),
            ("created 2026-03-31T22:00:00Z", "member_before"),
        ],
    );
    let cases =
        [("user ben", "applied 100"), ("user aiko", "applied 100"), ("user aik", "not_a_listed_member")];
    assert_results(&json!({"members": ["ben", "aiko"]}), &cases);
}

/// All checks in the documented order, and what helps against each of them.
#[test]
fn the_first_check_that_fails_is_the_reason() {
    let mut scene = Scene::new([json!({
        "starts_at": "2026-11-26T00:00:00Z", "reward": {"percent": 1}, "control_percent": 1,
        "conditions": {
            "types": ["video"], "windows": [{"from": "2026-11-27", "until": "2026-11-29"}], "weekdays": ["sat"],
            "hours": [{"from": "00:00", "until": "12:00"}], "min_points": 99, "source_prefixes": ["A-"],
            "attributes": {"sku": ["A"]}, "member_since": "2026-02-01T00:00:00Z",
            "member_before": "2026-03-01T00:00:00Z", "members": ["ben"], "birthday": {}, "ordinal": {"every": 2},
        },
    })]);
    scene.model.options.control = [("spring".to_owned(), "ben".to_owned())].into();
    scene.set("points 0; happened 2026-11-01T00:00:00Z");
    for (reason, next) in [
        ("base_not_positive", "points 1"),
        ("too_late", "at 2026-11-25T12:00:00Z"),
        ("outside_window", "at 2026-11-26T12:00:00Z"),
        ("type", "type video"),
        ("window", "at 2026-11-27T12:00:00Z"),
        ("weekday", "at 2026-11-28T12:00:00Z"),
        ("hours", "at 2026-11-28T11:59:59Z"),
        ("min_points", "points 99"),
        ("source_prefix", "source A-1"),
        ("attribute.sku", "attributes sku=A"),
        ("member_since", "created 2026-03-01T00:00:00Z"),
        ("member_before", "created 2026-02-28T00:00:00Z"),
        ("not_a_listed_member", "user ben"),
        ("no_birth_date", "born 1990-11-27; set 2026-11-01T00:00:00Z"),
        ("not_birthday", "born 1990-11-28"),
        ("birth_date_too_new", "set 2026-01-01T00:00:00Z"),
    ] {
        assert_eq!(scene.result(), reason);
        scene.set(next);
    }
    assert_eq!(scene.sequence([""; 2]), ["ordinal", "control_group"]);
    scene.model.options.control.clear();
    let found = scene.sequence(["", "", "", "points 100", ""]);
    assert_eq!(found, ["ordinal", "rounds_to_zero", "ordinal", "applied 1", "already_this_year"]);
}

#[test]
fn ordinals_count_what_earned_points_by_type_or_of_all() {
    let sequence = |ordinal: serde_json::Value, activities: &[&str]| {
        Scene::with_conditions(&json!({"types": ["code"], "ordinal": ordinal}))
            .sequence(activities.iter().copied())
    };
    let activities = [
        "type video; points 5",
        "type code; points 0",
        "points -5",
        "type order",
        "type code; points 7; source t1:reversal",
        "source t2",
        "source t3",
    ];
    let of_type = sequence(json!({"first": true}), &activities);
    assert_eq!(of_type[5..], ["applied 7", "ordinal"]);
    let of_all = sequence(json!({"first": true, "of": "all"}), &activities);
    assert_eq!(of_all[5..], ["ordinal", "ordinal"]);
    let codes = ["points 1", "type video", "type code", "", "", ""];
    assert_eq!(
        sequence(json!({"every": 2}), &codes),
        ["ordinal", "type", "applied 1", "ordinal", "applied 1", "ordinal"]
    );
    let of_all = sequence(json!({"every": 3, "of": "all"}), &codes);
    assert_eq!(of_all, ["ordinal", "type", "applied 1", "ordinal", "ordinal", "applied 1"]);
    assert_eq!(sequence(json!({"every": 1}), &["", ""]), ["applied 100"; 2]);
    // The position of an activity that is not counted is no multiple.
    let scene = Scene::with_conditions(&json!({"ordinal": {"every": 2}}));
    let (rules, parts) = (scene.rules(), Parts::new(&scene.step));
    let view = View { position: Some(0), ..View::new(&scene.model, &rules, &scene.step) };
    let verdicts = rules.explain(&parts.event(), &parts.member(), None, &view);
    assert_eq!(shown(&verdicts[0].result), "ordinal");
}

#[test]
fn an_activity_may_be_seven_days_old() {
    assert_results(
        &json!({}),
        &[
            ("happened 2026-11-18T12:00:00Z", "applied 100"),
            ("happened 2026-11-18T11:59:59.999999Z", "too_late"),
            ("happened 2026-11-25T12:05:00Z", "applied 100"),
        ],
    );
    let mut scene = Scene::new([json!({})]);
    scene.set("happened 0001-01-01T00:00:00Z");
    scene.model.options.max_age_days = 0;
    assert_eq!(scene.result(), "applied 100", "0 sets no bound");
    (scene.model.options.max_age_days, scene.step.now) = (7, None);
    assert_eq!(scene.result(), "applied 100", "without a clock");
}

#[test]
fn the_control_group_gets_nothing() {
    let mut scene = Scene::new([json!({"control_percent": 10})]);
    assert_eq!(scene.result(), "applied 100");
    scene.model.options.control = [("spring".to_owned(), "aiko".to_owned())].into();
    assert_eq!(scene.result(), "control_group");
    scene.model.versions[0].definition["control_percent"] = json!(0);
    assert_eq!(scene.result(), "applied 100", "a campaign without a control group does not ask");
}
