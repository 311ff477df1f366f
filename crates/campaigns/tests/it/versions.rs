//! Which version of a campaign is in force, and its state.

use pointbook_campaigns::{CampaignId, Reason};
use serde_json::json;

use crate::naive::data::Version;
use crate::parts::shown;
use crate::scene::{Scene, time, version};

fn scene(versions: impl IntoIterator<Item = Version>) -> Scene {
    let mut scene = Scene::new([]);
    scene.model.versions = versions.into_iter().collect();
    scene
}

/// A version of `spring` that gives this many percent.
fn spring(number: u32, state: &'static str, from: &str, percent: u32) -> Version {
    version(number, state, from, json!({"reward": {"percent": percent}}))
}

#[test]
fn a_new_version_takes_over_at_its_moment() {
    let mut scene = scene([
        spring(2, "active", "2026-11-25T13:00:00Z", 50),
        spring(1, "active", "2026-11-25T12:00:00Z", 100),
        spring(3, "paused", "2026-11-25T14:00:00Z", 100),
        // Of two versions from the same moment, the greater number counts.
        spring(5, "active", "2026-11-25T15:00:00Z", 7),
        spring(4, "active", "2026-11-25T15:00:00Z", 100),
    ]);
    for (at, number, expected) in [
        ("11:59:59.999999", 1, "not_started"),
        ("12:00:00", 1, "applied 100"),
        ("12:59:59.999999", 1, "applied 100"),
        ("13:00:00", 2, "applied 50"),
        ("14:00:00", 3, "paused"),
        ("15:00:00", 5, "applied 7"),
    ] {
        let verdict = scene.set(&format!("at 2026-11-25T{at}Z")).decide().verdicts.remove(0);
        assert_eq!((verdict.version, shown(&verdict.result).as_str()), (number, expected), "{at}");
    }
}

#[test]
fn only_an_active_version_in_its_time_matches() {
    let times = json!({"starts_at": "2026-11-25T12:00:00Z", "ends_at": "2026-11-25T13:00:00Z"});
    for (state, before, inside) in [
        ("active", "outside_window", "applied 100"),
        ("paused", "outside_window", "paused"),
        ("draft", "not_started", "not_started"),
        ("ended", "outside_window", "outside_window"),
        ("archived", "outside_window", "outside_window"),
    ] {
        let mut scene = scene([version(1, state, "", times.clone())]);
        for (at, expected) in [
            ("11:59:59.999999", before),
            ("12:00:00", inside),
            ("12:59:59.999999", inside),
            ("13:00:00", before),
        ] {
            assert_eq!(scene.set(&format!("at 2026-11-25T{at}Z")).result(), expected, "{state} {at}");
        }
    }
}

#[test]
fn a_version_may_change_the_types() {
    let types = |name: &str| json!({"conditions": {"types": [name]}});
    let mut scene = scene([
        version(1, "active", "", types("video")),
        version(2, "active", "2026-11-25T12:00:00Z", types("code")),
    ]);
    assert_eq!(scene.result(), "applied 100");
    assert_eq!(scene.set("at 2026-11-25T11:59:59Z").result(), "type");
}

#[test]
fn running_campaigns_are_counted_and_budgets_known() {
    let rules = scene([
        version(1, "active", "", json!({"id": "a", "limits": {"budget": {"awards": 1}}})),
        version(2, "paused", "2026-11-25T13:00:00Z", json!({"id": "a"})),
        version(1, "active", "", json!({"id": "b", "ends_at": "2026-11-25T14:00:00Z"})),
        version(1, "draft", "", json!({"id": "c"})),
        version(1, "active", "2026-11-25T15:00:00Z", json!({"id": "d"})),
    ]);
    let running = |hour: u32| rules.rules().running_at(time(&format!("2026-11-25T{hour}:00:00Z")));
    assert_eq!([12, 13, 14, 15].map(running), [2, 1, 0, 1]);
    let has_budget = |version: u32| rules.rules().has_budget(&CampaignId::new("a").unwrap(), version);
    assert_eq!([1, 2, 3].map(has_budget), [true, false, false]);
}

#[test]
fn an_activity_without_an_evaluation_has_one_reason_for_all() {
    let scene = Scene::new([json!({"id": "b"}), json!({"id": "a"})]);
    for reason in [Reason::GivenByBackOffice, Reason::Import] {
        let verdicts = scene.rules().verdicts(time("2026-11-25T12:00:00Z"), &reason);
        let shown: Vec<_> = verdicts.iter().map(|verdict| shown(&verdict.result)).collect();
        assert_eq!(shown, [reason.to_string(), reason.to_string()]);
        assert_eq!(verdicts[0].campaign.as_str(), "a");
    }
}
