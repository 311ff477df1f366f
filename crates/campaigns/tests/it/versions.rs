//! Which version of a campaign is in force, and its state.

use std::sync::Arc;

use pointbook_campaigns::{CampaignVersion, Reason, VersionState};
use pointbook_domain::Timestamp;
use serde_json::{Value, json};

use crate::scene::{AT, Scene, campaign, shown, time};

fn version(version: u32, state: VersionState, from: &str, fields: Value) -> CampaignVersion {
    let from = if from.is_empty() { Timestamp::MIN } else { time(from) };
    CampaignVersion { campaign: Arc::new(campaign(fields)), version, state, from }
}

#[test]
fn a_new_version_takes_over_at_its_moment() {
    let mut scene = Scene::new();
    scene.versions = vec![
        version(2, VersionState::Active, "2026-11-25T13:00:00Z", json!({"reward": {"percent": 50}})),
        version(1, VersionState::Active, "2026-11-25T12:00:00Z", json!({})),
        version(3, VersionState::Paused, "2026-11-25T14:00:00Z", json!({})),
    ];
    for (at, number, expected) in [
        ("2026-11-25T11:59:59.999999Z", 1, "outside_window"),
        ("2026-11-25T12:00:00Z", 1, "applied 100"),
        ("2026-11-25T12:59:59.999999Z", 1, "applied 100"),
        ("2026-11-25T13:00:00Z", 2, "applied 50"),
        ("2026-11-25T14:00:00Z", 3, "paused"),
    ] {
        scene.at(at);
        let verdict = scene.explain().pop().unwrap();
        assert_eq!((verdict.version, shown(&verdict.result).as_str()), (number, expected), "{at}");
    }
}

#[test]
fn of_two_versions_from_the_same_moment_the_later_number_counts() {
    let mut scene = Scene::new();
    scene.versions = vec![
        version(2, VersionState::Active, "", json!({"reward": {"percent": 50}})),
        version(1, VersionState::Active, "", json!({})),
    ];
    assert_eq!(scene.result(), "applied 50");
    assert_eq!(scene.evaluate().unwrap()[0].version, 2);
}

#[test]
fn only_an_active_version_in_its_time_matches() {
    let times = json!({"starts_at": "2026-11-25T12:00:00Z", "ends_at": "2026-11-25T13:00:00Z"});
    for (state, before, inside) in [
        (VersionState::Active, "outside_window", "applied 100"),
        (VersionState::Paused, "outside_window", "paused"),
        (VersionState::Draft, "not_started", "not_started"),
        (VersionState::Ended, "outside_window", "outside_window"),
        (VersionState::Archived, "outside_window", "outside_window"),
    ] {
        let mut scene = Scene::new();
        scene.versions = vec![version(1, state, "", times.clone())];
        for (at, expected) in [
            ("2026-11-25T11:59:59.999999Z", before),
            ("2026-11-25T12:00:00Z", inside),
            ("2026-11-25T12:59:59.999999Z", inside),
            ("2026-11-25T13:00:00Z", before),
        ] {
            scene.at(at);
            assert_eq!(scene.result(), expected, "{state:?} {at}");
        }
    }
}

#[test]
fn a_version_may_change_the_types() {
    let mut scene = Scene::new();
    scene.versions = vec![
        version(1, VersionState::Active, "", json!({"conditions": {"types": ["video"]}})),
        version(2, VersionState::Active, AT, json!({"conditions": {"types": ["code"]}})),
    ];
    assert_eq!(scene.result(), "applied 100");
    scene.at("2026-11-25T11:59:59Z");
    assert_eq!(scene.result(), "type");
}

#[test]
fn running_campaigns_are_counted() {
    let mut scene = Scene::new();
    scene.versions = vec![
        version(1, VersionState::Active, "", json!({"id": "a"})),
        version(2, VersionState::Paused, "2026-11-25T13:00:00Z", json!({"id": "a"})),
        version(1, VersionState::Active, "", json!({"id": "b", "ends_at": "2026-11-25T14:00:00Z"})),
        version(1, VersionState::Draft, "", json!({"id": "c"})),
        version(1, VersionState::Active, "2026-11-25T15:00:00Z", json!({"id": "d"})),
    ];
    let running = |at| scene.rules().running_at(time(at));
    assert_eq!(running("2026-11-25T12:00:00Z"), 2);
    assert_eq!(running("2026-11-25T13:00:00Z"), 1);
    assert_eq!(running("2026-11-25T14:00:00Z"), 0);
    assert_eq!(running("2026-11-25T15:00:00Z"), 1);
}

#[test]
fn an_activity_without_an_evaluation_has_one_reason_for_all() {
    let mut scene = Scene::new();
    scene.add(json!({"id": "b"}));
    scene.add(json!({"id": "a"}));
    for reason in [Reason::GivenByBackOffice, Reason::Import] {
        let verdicts = scene.rules().verdicts(scene.at, &reason);
        let shown: Vec<_> = verdicts.iter().map(|verdict| shown(&verdict.result)).collect();
        assert_eq!(shown, [reason.to_string(), reason.to_string()]);
        assert_eq!(verdicts[0].campaign.as_str(), "a");
    }
}
