//! Several campaigns for one activity: sums, groups, the ceiling, the breakdown.

use serde_json::{Value, json};

use crate::scene::Scene;

/// A campaign of the group `g`.
fn group(id: &str, wins: &str, priority: i32, more: Value) -> Value {
    let mut fields = json!({"id": id, "group": {"name": "g", "wins": wins}, "priority": priority});
    let Value::Object(more) = more else { panic!("{more}") };
    fields.as_object_mut().unwrap().extend(more);
    fields
}

fn percent(percent: u32) -> Value {
    json!({"reward": {"percent": percent}})
}

#[test]
fn campaigns_add_up_and_one_of_a_group_wins() {
    let limited =
        json!({"reward": {"percent": 300}, "limits": {"per_user": [{"period": "day", "points": 150}]}});
    let budget = json!({"limits": {"budget": {"points": 20}}});
    let video = json!({"conditions": {"types": ["video"]}});
    let other_group = json!({"id": "b", "group": {"name": "other"}});
    for (campaigns, expected) in [
        (
            vec![json!({"id": "a"}), json!({"id": "b", "reward": {"percent": 50}})],
            &["a: applied 100", "b: applied 50"][..],
        ),
        (
            vec![
                group("a", "first", 1, percent(300)),
                group("b", "first", 2, json!({})),
                group("c", "first", 2, percent(200)),
                group("d", "first", 3, video),
                json!({"id": "e"}),
            ],
            &["a: lost_to:b", "b: applied 100", "c: lost_to:b", "d: type", "e: applied 100"],
        ),
        // The limits of the user count before the highest one wins.
        (
            vec![
                group("a", "highest", 0, limited),
                group("b", "highest", 0, percent(200)),
                group("c", "highest", 1, percent(200)),
                group("d", "highest", 9, percent(199)),
            ],
            &["a: lost_to:c", "b: lost_to:c", "c: applied 200", "d: lost_to:c"],
        ),
        // Its budget counts after it has won.
        (
            vec![group("a", "highest", 0, budget), group("b", "highest", 0, percent(99))],
            &["a: clipped to 20 of 100 by budget", "b: lost_to:a"],
        ),
        // Where campaigns disagree, the greatest priority says who wins.
        (
            vec![group("a", "first", 2, json!({})), group("b", "highest", 1, percent(200))],
            &["a: applied 100", "b: lost_to:a"],
        ),
        (vec![group("a", "first", 0, json!({})), other_group], &["a: applied 100", "b: applied 100"]),
    ] {
        assert_eq!(Scene::new(campaigns).results(), expected);
    }
}

#[test]
fn the_next_one_wins_when_the_budget_of_the_first_is_used_up() {
    for wins in ["first", "highest"] {
        let mut scene = Scene::new([
            group("a", wins, 3, json!({"reward": {"percent": 300}, "limits": {"budget": {"awards": 1}}})),
            group("b", wins, 2, json!({"reward": {"percent": 200}, "limits": {"budget": {"points": 250}}})),
            group("c", wins, 1, json!({"limits": {"budget": {"points": 50}, "on_points_limit": "skip"}})),
        ]);
        let clipped = "b: clipped to 50 of 200 by budget";
        for expected in [
            ["a: applied 300", "b: lost_to:a", "c: lost_to:a"],
            ["a: budget", "b: applied 200", "c: lost_to:b"],
            ["a: budget", clipped, "c: lost_to:b"],
            ["a: budget", "b: budget", "c: budget"],
        ] {
            assert_eq!(scene.results(), expected);
            scene.record();
        }
    }
}

#[test]
fn the_control_group_leaves_the_group_to_others() {
    let mut scene = Scene::new([
        group("a", "first", 1, json!({"control_percent": 50})),
        group("b", "first", 0, json!({})),
    ]);
    scene.model.options.control = [("a".to_owned(), "aiko".to_owned())].into();
    assert_eq!(scene.results(), ["a: control_group", "b: applied 100"]);
}

#[test]
fn the_breakdown_has_birthdays_then_campaigns_by_priority_then_others() {
    let campaigns = [
        ("a", "welcome", 99),
        ("b", "campaign", -5),
        ("d", "campaign", 0),
        ("c", "campaign", 0),
        ("e", "campaign", 7),
        ("f", "birthday", -9),
        ("g", "birthday", -8),
        ("h", "another", 100),
    ];
    let campaigns =
        campaigns.map(|(id, kind, priority)| json!({"id": id, "kind": kind, "priority": priority}));
    let awards = Scene::new(campaigns).awards();
    assert_eq!(awards, ["g 100", "f 100", "e 100", "c 100", "d 100", "b 100", "h 100", "a 100"]);
}

#[test]
fn the_ceiling_clips_the_end_of_the_breakdown() {
    let mut scene = Scene::new([
        json!({"id": "a", "priority": 3, "reward": {"percent": 600}}),
        // The ceiling clips also where other limits skip.
        json!({"id": "b", "priority": 2, "reward": {"percent": 600}, "limits": {"on_points_limit": "skip"}}),
        json!({"id": "c", "priority": 1}),
        json!({"id": "z", "kind": "birthday", "conditions": {}}),
    ]);
    for (factor, b, c) in [
        (10, "b: clipped to 300 of 600 by ceiling", "c: ceiling"),
        (0, "b: applied 600", "c: applied 100"),
        (13, "b: applied 600", "c: ceiling"),
        (14, "b: applied 600", "c: applied 100"),
    ] {
        scene.model.options.ceiling_factor = factor;
        assert_eq!(scene.results(), ["a: applied 600", b, c, "z: applied 100"], "{factor}");
    }
}

#[test]
fn a_breakdown_has_at_most_twenty_entries_and_the_rest_counts_for_no_limit() {
    let mut scene = Scene::new((0..22).map(|number| {
        let limits = json!({"budget": {"awards": 1}});
        json!({"id": format!("c{number:02}"), "priority": number, "reward": {"percent": 10}, "limits": limits})
    }));
    let results = scene.results();
    assert_eq!(results[..3], ["c00: too_many_bonuses", "c01: too_many_bonuses", "c02: applied 10"]);
    let awards = scene.awards();
    assert_eq!((awards.len(), awards[0].as_str(), awards[19].as_str()), (20, "c21 10", "c02 10"));
    scene.record();
    assert_eq!(scene.awards(), ["c01 10", "c00 10"]);
}

#[test]
fn a_bonus_has_a_title_in_the_language_of_the_member() {
    let titles = json!({"de": "Willkommen", "de-AT": "Servus", "en": "Welcome", "zh-Hant": "漢"});
    let mut scene = Scene::new([json!({"kind": "welcome", "title": titles})]);
    for (locale, expected) in [
        ("de", "Willkommen"),
        ("de-AT", "Servus"),
        ("de-CH", "Willkommen"),
        ("zh-Hant", "漢"),
        ("zh", "Welcome"),
        ("ja", "Welcome"),
    ] {
        let award = scene.set(&format!("locale {locale}")).decide().awards.unwrap().remove(0);
        let bonus = award.to_bonus();
        assert_eq!(
            (bonus.kind.as_str(), bonus.points.get(), bonus.title.as_str()),
            ("welcome", 100, expected)
        );
    }
    let campaign = crate::scene::campaign(json!({ "title": titles }));
    let title = |own: &str| campaign.title(None, &crate::parts::locale(own)).to_owned();
    assert_eq!(
        [title("en"), title("fr")],
        ["Welcome", "Willkommen"],
        "the first one, when the tenant has a new locale"
    );
}
