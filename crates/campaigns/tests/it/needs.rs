//! Which counters an activity needs.

use pointbook_campaigns::CounterNeeds;
use serde_json::json;

use crate::parts::Parts;
use crate::scene::Scene;

/// The needs as words.
fn shown(scene: &Scene) -> Vec<String> {
    let needs = scene.rules().needs(&Parts::new(&scene.step).event());
    let CounterNeeds { ordinals, used, last_birthdays, budgets } = &needs;
    let ordinals = ordinals.iter().map(|of| format!("ordinal {}", of.as_str()));
    let used = used.iter().map(|(id, period)| format!("used {id} {period}"));
    let birthdays = last_birthdays.iter().map(|id| format!("birthday {id}"));
    let budgets = budgets.iter().map(|need| format!("budget {} {}", need.campaign, need.points_at_most));
    let shown: Vec<_> = ordinals.chain(used).chain(birthdays).chain(budgets).collect();
    assert_eq!(needs.is_empty(), shown.is_empty());
    shown
}

#[test]
fn needs_name_the_counters_of_campaigns_that_may_match() {
    let mut scene = Scene::new([
        json!({
            "id": "a",
            "conditions": {"types": ["code"], "ordinal": {"first": true}},
            "limits": {"per_user": [{"period": "week", "awards": 1}, {"period": "ever", "points": 9}]},
        }),
        json!({"id": "b", "conditions": {"birthday": {}, "ordinal": {"every": 2, "of": "all"}}}),
        json!({"id": "c", "reward": {"percent": 25}, "limits": {"budget": {"points": 1_000}}}),
        json!({"id": "d", "conditions": {"ordinal": {"every": 2}, "attributes": {"sku": ["A"]}}}),
    ]);
    for (parts, expected) in [
        (
            "",
            &[
                "ordinal type",
                "ordinal all",
                "used a week:2026-11-23",
                "used a ever",
                "birthday b",
                "budget c 25",
            ][..],
        ),
        ("type video", &["ordinal all", "birthday b", "budget c 25"]),
        ("points 3", &["ordinal all", "birthday b"]),
        ("points 0", &[]),
        ("points 100; type order", &[]),
        ("type code; source t1:reversal", &[]),
    ] {
        assert_eq!(shown(scene.set(parts)), expected, "{parts}");
    }
}
