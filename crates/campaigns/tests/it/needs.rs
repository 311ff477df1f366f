//! Which counters an activity needs.

use pointbook_campaigns::{CounterNeeds, OrdinalOf};
use serde_json::json;

use crate::scene::{Scene, kind, points};

fn scene() -> Scene {
    let mut scene = Scene::new();
    scene.add(json!({
        "id": "a",
        "conditions": {"types": ["code"], "ordinal": {"first": true}},
        "limits": {"per_user": [{"period": "week", "awards": 1}, {"period": "ever", "points": 9}]},
    }));
    scene.add(json!({"id": "b", "conditions": {"birthday": {}, "ordinal": {"every": 2, "of": "all"}}}));
    scene.add(json!({"id": "c", "reward": {"percent": 25}, "limits": {"budget": {"points": 1_000}}}));
    scene.add(json!({"id": "d", "conditions": {"ordinal": {"every": 2}, "attributes": {"sku": ["A"]}}}));
    scene
}

/// The needs as words.
fn shown(needs: &CounterNeeds) -> Vec<String> {
    let CounterNeeds { ordinals, used, last_birthdays, budgets } = needs;
    let ordinals = ordinals.iter().map(|of| format!("ordinal {}", of.as_str()));
    let used = used.iter().map(|(id, period)| format!("used {id} {period}"));
    let birthdays = last_birthdays.iter().map(|id| format!("birthday {id}"));
    let budgets = budgets.iter().map(|need| format!("budget {} {}", need.campaign, need.points_at_most));
    ordinals.chain(used).chain(birthdays).chain(budgets).collect()
}

#[test]
fn needs_name_the_counters_of_campaigns_that_may_match() {
    let scene = scene();
    let needs = scene.rules().needs(&scene.event());
    assert_eq!(
        shown(&needs),
        ["ordinal type", "ordinal all", "used a week:2026-11-23", "used a ever", "birthday b", "budget c 25"]
    );
    assert_eq!(needs.ordinals, [OrdinalOf::Type, OrdinalOf::All]);
}

#[test]
fn campaigns_that_cannot_match_need_nothing() {
    let mut scene = scene();
    scene.kind = kind("video");
    assert_eq!(shown(&scene.rules().needs(&scene.event())), ["ordinal all", "birthday b", "budget c 25"]);
    scene.points = points(3);
    assert_eq!(shown(&scene.rules().needs(&scene.event())), ["ordinal all", "birthday b"]);
    scene.points = points(0);
    assert!(scene.rules().needs(&scene.event()).is_empty());
}

#[test]
fn orders_need_nothing() {
    let mut scene = scene();
    scene.kind = kind("order");
    assert!(scene.rules().needs(&scene.event()).is_empty());
}
