//! Each condition on its own.

use pointbook_domain::{SourceId, Timestamp, UserId};
use serde_json::{Value, json};

use crate::scene::{Scene, attributes, kind, points, time};

/// Panics unless the campaign with these conditions has the result for each scene.
fn assert_results<'t, T: ?Sized + std::fmt::Debug + 't>(
    conditions: &Value,
    set: impl Fn(&mut Scene, &T),
    cases: impl IntoIterator<Item = (&'t T, &'t str)>,
) {
    for (value, expected) in cases {
        let mut scene = Scene::with_conditions(conditions);
        set(&mut scene, value);
        assert_eq!(scene.result(), expected, "{conditions} {value:?}");
    }
}

fn set_kind(scene: &mut Scene, name: &str) {
    scene.kind = kind(name);
}

#[test]
fn a_campaign_without_conditions_matches_each_type_but_order() {
    let cases = [("code", "applied 100"), ("video", "applied 100"), ("order", "type")];
    assert_results(&json!({}), set_kind, cases);
}

#[test]
fn types_are_those_of_the_list() {
    let cases = [("code", "applied 100"), ("video", "applied 100"), ("quiz", "type"), ("order", "type")];
    assert_results(&json!({"types": ["video", "code"]}), set_kind, cases);
}

#[test]
fn base_points_must_be_above_zero() {
    let set = |scene: &mut Scene, base: &i64| scene.points = points(*base);
    let cases = [(&1, "applied 1"), (&0, "base_not_positive"), (&-100, "base_not_positive")];
    assert_results(&json!({}), set, cases);
}

#[test]
fn a_reversal_earns_nothing() {
    let set = |scene: &mut Scene, source_id: &str| scene.source_id = SourceId::new(source_id).unwrap();
    let cases = [("t1:reversal", "base_not_positive"), ("t1:reversal:x", "applied 100")];
    assert_results(&json!({}), set, cases);
    let mut scene = Scene::with_conditions(&json!({"ordinal": {"every": 2}}));
    assert_eq!(scene.rules().needs(&scene.event()).ordinals.len(), 1);
    set(&mut scene, "t1:reversal");
    assert!(scene.rules().needs(&scene.event()).is_empty());
}

#[test]
fn windows_are_half_open_local_days() {
    let conditions = json!({"windows": [
        {"from": "2026-12-01", "until": "2026-12-02"},
        {"from": "2026-11-14", "until": "2026-11-21"},
    ]});
    let cases = [
        ("2026-11-13T23:59:59.999999Z", "window"),
        ("2026-11-14T00:00:00Z", "applied 100"),
        ("2026-11-20T23:59:59.999999Z", "applied 100"),
        ("2026-11-21T00:00:00Z", "window"),
        ("2026-11-30T23:59:59.999999Z", "window"),
        ("2026-12-01T00:00:00Z", "applied 100"),
        ("2026-12-02T00:00:00Z", "window"),
    ];
    assert_results(&conditions, Scene::at, cases);
}

#[test]
fn weekdays_are_local() {
    let cases = [
        ("2026-11-23T12:00:00Z", "applied 100"),
        ("2026-11-24T12:00:00Z", "weekday"),
        ("2026-11-29T23:59:59.999999Z", "applied 100"),
        ("2026-11-28T23:59:59.999999Z", "weekday"),
    ];
    assert_results(&json!({"weekdays": ["sun", "mon"]}), Scene::at, cases);
}

#[test]
fn hours_are_half_open_local_minutes() {
    let conditions =
        json!({"hours": [{"from": "16:00", "until": "18:00"}, {"from": "22:30", "until": "24:00"}]});
    let cases = [
        ("2026-11-25T15:59:59.999999Z", "hours"),
        ("2026-11-25T16:00:00Z", "applied 100"),
        ("2026-11-25T17:59:59.999999Z", "applied 100"),
        ("2026-11-25T18:00:00Z", "hours"),
        ("2026-11-25T22:29:59Z", "hours"),
        ("2026-11-25T23:59:59.999999Z", "applied 100"),
        ("2026-11-26T00:00:00Z", "hours"),
    ];
    assert_results(&conditions, Scene::at, cases);
}

#[test]
fn least_base_points_are_included() {
    let set = |scene: &mut Scene, base: &i64| scene.points = points(*base);
    assert_results(&json!({"min_points": 10}), set, [(&9, "min_points"), (&10, "applied 10")]);
}

#[test]
fn a_source_id_begins_with_a_prefix() {
    let set = |scene: &mut Scene, id: &str| scene.source_id = SourceId::new(id).unwrap();
    let cases = [
        ("SPRING-1", "applied 100"),
        ("SPRING-", "applied 100"),
        ("SPRING", "source_prefix"),
        ("spring-1", "source_prefix"),
        ("x-SPRING-1", "source_prefix"),
        ("ä1", "applied 100"),
    ];
    assert_results(&json!({"source_prefixes": ["SPRING-", "ä"]}), set, cases);
}

#[test]
fn each_attribute_has_one_of_its_values() {
    let set = |scene: &mut Scene, pairs: &[(&str, &str)]| scene.attributes = attributes(pairs);
    let cases: [(&[_], _); 6] = [
        (&[("store", "tokyo"), ("sku", "A1")], "applied 100"),
        (&[("store", "osaka"), ("sku", "A1"), ("channel", "app")], "applied 100"),
        (&[("store", "tokyo"), ("sku", "A2")], "attribute.sku"),
        (&[("store", "kyoto"), ("sku", "A1")], "attribute.store"),
        (&[("store", "Tokyo")], "attribute.sku"),
        (&[], "attribute.sku"),
    ];
    assert_results(&json!({"attributes": {"store": ["tokyo", "osaka"], "sku": ["A1"]}}), set, cases);
}

#[test]
fn member_since_is_included_and_member_before_is_not() {
    let conditions =
        json!({"member_since": "2026-03-01T00:00:00Z", "member_before": "2026-04-01T00:00:00+02:00"});
    let set = |scene: &mut Scene, at: &str| scene.created_at = time(at);
    let cases = [
        ("2026-02-28T23:59:59.999999Z", "member_since"),
        ("2026-03-01T00:00:00Z", "applied 100"),
        ("2026-03-31T21:59:59.999999Z", "applied 100"),
        ("2026-03-31T22:00:00Z", "member_before"),
    ];
    assert_results(&conditions, set, cases);
}

#[test]
fn members_are_those_of_the_list() {
    let set = |scene: &mut Scene, id: &str| scene.user_id = UserId::new(id).unwrap();
    let cases = [("ben", "applied 100"), ("aiko", "applied 100"), ("aik", "not_a_listed_member")];
    assert_results(&json!({"members": ["ben", "aiko"]}), set, cases);
}

/// The results of a user's activities, one after the other.
fn sequence(conditions: &Value, activities: &[(&str, i64)]) -> Vec<String> {
    let mut scene = Scene::with_conditions(conditions);
    let results = activities.iter().map(|&(name, base)| {
        (scene.kind, scene.points) = (kind(name), points(base));
        let result = scene.result();
        scene.record();
        result
    });
    results.collect()
}

#[test]
fn the_first_activity_is_counted_by_type_or_of_all() {
    let activities = [("video", 5), ("code", 0), ("code", -5), ("order", -5), ("code", 7), ("code", 7)];
    let of_type = sequence(&json!({"types": ["code"], "ordinal": {"first": true}}), &activities);
    assert_eq!(of_type[4..], ["applied 7", "ordinal"]);
    let of_all = sequence(&json!({"types": ["code"], "ordinal": {"first": true, "of": "all"}}), &activities);
    assert_eq!(of_all[4..], ["ordinal", "ordinal"]);
}

#[test]
fn every_nth_activity_is_a_multiple() {
    let activities = [("code", 1), ("video", 1), ("code", 1), ("code", 1), ("code", 1), ("code", 1)];
    let of_type = sequence(&json!({"ordinal": {"every": 2}}), &activities);
    assert_eq!(of_type, ["ordinal", "ordinal", "applied 1", "ordinal", "applied 1", "ordinal"]);
    let of_all = sequence(&json!({"ordinal": {"every": 3, "of": "all"}}), &activities);
    assert_eq!(of_all, ["ordinal", "ordinal", "applied 1", "ordinal", "ordinal", "applied 1"]);
    assert_eq!(sequence(&json!({"ordinal": {"every": 1}}), &activities), ["applied 1"; 6]);
}

#[test]
fn an_activity_may_be_seven_days_old() {
    let set = |scene: &mut Scene, at: &str| scene.at = time(at);
    let cases = [
        ("2026-11-18T12:00:00Z", "applied 100"),
        ("2026-11-18T11:59:59.999999Z", "too_late"),
        ("2026-11-25T12:05:00Z", "applied 100"),
    ];
    assert_results(&json!({}), set, cases);
    let without_now = |scene: &mut Scene, at: &Timestamp| (scene.at, scene.now) = (*at, None);
    assert_results(&json!({}), without_now, [(&Timestamp::MIN, "applied 100")]);
    let without_limit = |scene: &mut Scene, at: &Timestamp| {
        scene.at = *at;
        scene.options.max_age_days = 0;
    };
    assert_results(&json!({}), without_limit, [(&Timestamp::MIN, "applied 100")]);
}

#[test]
fn the_control_group_gets_nothing() {
    let mut scene = Scene::new();
    scene.add(json!({"control_percent": 10}));
    assert_eq!(scene.result(), "applied 100");
    let id = scene.versions[0].campaign.id().clone();
    scene.memory.control.insert((id, scene.user_id.clone()));
    assert_eq!(scene.result(), "control_group");
    scene.versions.clear();
    scene.add(json!({}));
    assert_eq!(scene.result(), "applied 100", "a campaign without a control group does not ask");
}
