//! What follows the time zone of the tenant. `crates/domain/src/zones` knows the zones; the rules get the local day and minute.

use serde_json::json;

use crate::scene::{Scene, assert_results};

/// 14 hours ahead of UTC, where Wednesday, 2026-11-25, begins at ten o'clock of the day before.
#[test]
fn days_hours_and_periods_are_local() {
    for (conditions, refused) in [
        (json!({"windows": [{"from": "2026-11-25", "until": "2026-11-26"}]}), "window"),
        (json!({"weekdays": ["wed"]}), "weekday"),
        (json!({"birthday": {}}), "not_birthday"),
    ] {
        for (at, expected) in [
            ("2026-11-24T09:59:59.999999Z", refused),
            ("2026-11-24T10:00:00Z", "applied 100"),
            ("2026-11-25T09:59:59.999999Z", "applied 100"),
            ("2026-11-25T10:00:00Z", refused),
        ] {
            assert_results(&conditions, &[(&format!("ahead 840; born 1990-11-25; at {at}"), expected)]);
        }
    }
    let hours = json!({"hours": [{"from": "00:00", "until": "00:01"}]});
    assert_results(&hours, &[("ahead 840; at 2026-11-24T10:00:59.999999Z", "applied 100")]);
    let mut scene = Scene::new([json!({"limits": {"per_user": [{"period": "year", "awards": 1}]}})]);
    let found = scene.sequence(["ahead 840; at 2026-12-31T09:59:59Z", "", "at 2026-12-31T10:00:00Z"]);
    assert_eq!(found, ["applied 100", "user_limit", "applied 100"], "it is 2027 there");
}

#[test]
fn starts_and_ends_do_not_follow_the_time_zone() {
    let fields = json!({"starts_at": "2026-11-25T10:00:00Z", "ends_at": "2026-11-25T13:00:00+01:00"});
    for (at, expected) in [
        ("09:59:59.999999", "outside_window"),
        ("10:00:00", "applied 100"),
        ("11:59:59.999999", "applied 100"),
        ("12:00:00", "outside_window"),
    ] {
        let mut scene = Scene::new([fields.clone()]);
        assert_eq!(scene.set(&format!("ahead 840; at 2026-11-25T{at}Z")).result(), expected, "{at}");
    }
}
