//! Several campaigns for one activity: sums, groups, the ceiling, the breakdown.

use pointbook_domain::Locale;
use serde_json::{Value, json};

use crate::scene::Scene;

fn scene(campaigns: &[Value]) -> Scene {
    let mut scene = Scene::new();
    for fields in campaigns {
        scene.add(fields.clone());
    }
    scene
}

#[test]
fn all_campaigns_that_match_add_up() {
    let scene = scene(&[
        json!({"id": "a"}),
        json!({"id": "b", "reward": {"percent": 50}}),
        json!({"id": "c", "conditions": {"types": ["video"]}}),
    ]);
    assert_eq!(scene.results(), ["a: applied 100", "b: applied 50", "c: type"]);
}

#[test]
fn the_breakdown_has_birthdays_then_campaigns_by_priority_then_others() {
    let mut scene = scene(&[
        json!({"id": "a", "kind": "welcome", "priority": 99}),
        json!({"id": "b", "priority": -5}),
        json!({"id": "d"}),
        json!({"id": "c"}),
        json!({"id": "e", "priority": 7}),
        json!({"id": "f", "kind": "birthday", "priority": -9}),
        json!({"id": "g", "kind": "birthday", "priority": -8}),
        json!({"id": "h", "kind": "another", "priority": 100}),
    ]);
    assert_eq!(scene.record(), ["g 100", "f 100", "e 100", "c 100", "d 100", "b 100", "h 100", "a 100"]);
}

fn group(id: &str, wins: &str, priority: i32, more: &Value) -> Value {
    let mut fields = json!({"id": id, "group": {"name": "g", "wins": wins}, "priority": priority});
    fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    fields
}

#[test]
fn in_a_group_the_first_by_priority_wins() {
    let scene = scene(&[
        group("a", "first", 1, &json!({"reward": {"percent": 300}})),
        group("b", "first", 2, &json!({})),
        group("c", "first", 2, &json!({"reward": {"percent": 200}})),
        group("d", "first", 3, &json!({"conditions": {"types": ["video"]}})),
        json!({"id": "e"}),
    ]);
    assert_eq!(
        scene.results(),
        ["a: lost_to:b", "b: applied 100", "c: lost_to:b", "d: type", "e: applied 100"]
    );
}

#[test]
fn in_a_group_the_highest_after_user_limits_wins() {
    let limited =
        json!({"reward": {"percent": 300}, "limits": {"per_user": [{"period": "day", "points": 150}]}});
    let scene = scene(&[
        group("a", "highest", 0, &limited),
        group("b", "highest", 0, &json!({"reward": {"percent": 200}})),
        group("c", "highest", 1, &json!({"reward": {"percent": 200}})),
        group("d", "highest", 9, &json!({"reward": {"percent": 199}})),
    ]);
    assert_eq!(scene.results(), ["a: lost_to:c", "b: lost_to:c", "c: applied 200", "d: lost_to:c"]);
}

#[test]
fn the_next_one_wins_when_the_budget_of_the_first_is_used_up() {
    for wins in ["first", "highest"] {
        let mut scene = scene(&[
            group("a", wins, 3, &json!({"reward": {"percent": 300}, "limits": {"budget": {"awards": 1}}})),
            group("b", wins, 2, &json!({"reward": {"percent": 200}, "limits": {"budget": {"points": 250}}})),
            group("c", wins, 1, &json!({})),
        ]);
        assert_eq!(scene.results(), ["a: applied 300", "b: lost_to:a", "c: lost_to:a"]);
        scene.record();
        assert_eq!(scene.results(), ["a: budget", "b: applied 200", "c: lost_to:b"]);
        scene.record();
        let clipped = "b: clipped to 50 of 200 by budget";
        assert_eq!(scene.results(), ["a: budget", clipped, "c: lost_to:b"], "a clipped award wins");
        scene.record();
        assert_eq!(scene.results(), ["a: budget", "b: budget", "c: applied 100"]);
    }
}

#[test]
fn a_group_without_any_budget_has_no_winner() {
    let budget = json!({"limits": {"budget": {"awards": 1}}});
    let mut scene = scene(&[group("a", "first", 0, &budget)]);
    scene.record();
    scene.add(group(
        "b",
        "first",
        0,
        &json!({"limits": {"budget": {"points": 50}, "on_points_limit": "skip"}}),
    ));
    assert_eq!(scene.results(), ["a: budget", "b: budget"]);
}

#[test]
fn where_versions_disagree_the_greatest_priority_says_who_wins() {
    let scene = scene(&[
        group("a", "first", 2, &json!({})),
        group("b", "highest", 1, &json!({"reward": {"percent": 200}})),
    ]);
    assert_eq!(scene.results(), ["a: applied 100", "b: lost_to:a"]);
}

#[test]
fn groups_of_different_names_add_up() {
    let mut other = group("b", "first", 0, &json!({}));
    other["group"]["name"] = json!("other");
    let scene = scene(&[group("a", "first", 0, &json!({})), other]);
    assert_eq!(scene.results(), ["a: applied 100", "b: applied 100"]);
}

#[test]
fn the_ceiling_clips_the_end_of_the_breakdown() {
    let mut scene = scene(&[
        json!({"id": "a", "priority": 3, "reward": {"percent": 600}}),
        json!({"id": "b", "priority": 2, "reward": {"percent": 600}}),
        json!({"id": "c", "priority": 1}),
        json!({"id": "z", "kind": "birthday", "priority": 0, "conditions": {}}),
    ]);
    let clipped = "b: clipped to 300 of 600 by ceiling";
    assert_eq!(scene.results(), ["a: applied 600", clipped, "c: ceiling", "z: applied 100"]);
    scene.options.ceiling_factor = 0;
    assert_eq!(scene.results(), ["a: applied 600", "b: applied 600", "c: applied 100", "z: applied 100"]);
    scene.options.ceiling_factor = 13;
    assert_eq!(scene.results()[2], "c: ceiling", "1,300 points are the awards before it");
    scene.options.ceiling_factor = 14;
    assert_eq!(scene.results()[2], "c: applied 100");
}

#[test]
fn the_ceiling_clips_also_where_other_limits_skip() {
    let scene = scene(&[json!({"reward": {"points": 5_000}, "limits": {"on_points_limit": "skip"}})]);
    assert_eq!(scene.result(), "clipped to 1000 of 5000 by ceiling");
}

#[test]
fn a_breakdown_has_at_most_twenty_entries() {
    let campaigns: Vec<_> = (0..22)
        .map(|number| json!({"id": format!("c{number:02}"), "priority": number, "reward": {"percent": 10}}))
        .collect();
    let mut scene = scene(&campaigns);
    let results = scene.results();
    assert_eq!(results[..3], ["c00: too_many_bonuses", "c01: too_many_bonuses", "c02: applied 10"]);
    let awards = scene.record();
    assert_eq!((awards.len(), awards[0].as_str(), awards[19].as_str()), (20, "c21 10", "c02 10"));
}

#[test]
fn bonuses_have_kind_points_and_a_title_in_the_language_of_the_member() {
    let mut scene = scene(&[json!({"kind": "welcome", "title": {"en": "Welcome", "de": "Willkommen"}})]);
    scene.locale = Some(Locale::new("de-AT").unwrap());
    let bonus = scene.evaluate().unwrap()[0].to_bonus();
    assert_eq!(
        (bonus.kind.as_str(), bonus.points.get(), bonus.title.as_str()),
        ("welcome", 100, "Willkommen")
    );
    scene.locale = Some(Locale::new("ja").unwrap());
    assert_eq!(scene.evaluate().unwrap()[0].title, "Welcome");
}
