use serde_json::{Value, json};

use super::*;
use crate::campaigns::rules_cache::version_of;

fn at(second: i64) -> Timestamp {
    Timestamp::from_micros(second * 1_000_000).unwrap()
}

/// A state, the second from which on it is in force, and the seconds of the start and the end.
type Version<'v> = (&'v str, i64, Option<i64>, Option<i64>);

fn timeline(versions: &[Version<'_>]) -> Timeline {
    let row = |(version, (state, from, starts, ends)): (u32, &Version<'_>)| {
        let time = |second: &Option<i64>| second.map_or(Value::Null, |second| json!(at(second).to_string()));
        let definition = json!({
            "id": "spring", "title": {"en": "Spring"}, "reward": {"points": 1},
            "starts_at": time(starts), "ends_at": time(ends),
        });
        CampaignVersionRow {
            revision: version.into(),
            campaign_id: "spring".to_owned(),
            version,
            state: (*state).to_owned(),
            valid_from: at(*from),
            definition: definition.to_string(),
            created_at: at(0),
            created_by: "command-line".to_owned(),
        }
    };
    let rows: Vec<_> = (1..).zip(versions).map(row).collect();
    Timeline::new(rows.iter().collect(), version_of).unwrap()
}

/// The second and the version of a start or an end.
type Told = (i64, u32);

fn run(versions: &[Version<'_>]) -> Option<(Told, Option<Told>)> {
    let timeline = timeline(versions);
    let seconds = |moment: Moment| (moment.at.as_micros() / 1_000_000, moment.version);
    timeline.start().map(|start| (seconds(start), timeline.end(start.at).map(seconds)))
}

#[test]
fn a_campaign_starts_when_it_is_active_and_its_time_has_come() {
    assert_eq!(run(&[("draft", 1, Some(2), Some(9))]), None);
    let draft = ("draft", 1, Some(5), Some(9));
    assert_eq!(run(&[draft, ("active", 2, Some(5), Some(9))]), Some(((5, 2), Some((9, 2)))));
    assert_eq!(run(&[draft, ("active", 7, Some(5), Some(9))]), Some(((7, 2), Some((9, 2)))));
    assert_eq!(run(&[draft, ("active", 9, Some(5), Some(9))]), None, "its time was over");
    assert_eq!(run(&[("active", 2, None, None)]), Some(((2, 1), None)));
}

#[test]
fn a_campaign_that_ends_before_its_start_never_ran() {
    let active = ("active", 2, Some(5), None);
    assert_eq!(run(&[active, ("ended", 4, Some(5), None)]), None);
    assert_eq!(run(&[active, ("paused", 4, Some(5), None), ("ended", 6, Some(5), None)]), None);
    assert_eq!(run(&[active, ("ended", 2, Some(5), None)]), None, "both take over at the same time");
}

#[test]
fn a_pause_is_no_end() {
    let (active, paused) = (("active", 2, None, Some(9)), ("paused", 4, None, Some(9)));
    assert_eq!(run(&[active, paused]), Some(((2, 1), Some((9, 2)))));
    assert_eq!(run(&[active, paused, ("active", 6, None, Some(9))]), Some(((2, 1), Some((9, 3)))));
    assert_eq!(run(&[active, paused, ("ended", 6, None, Some(9))]), Some(((2, 1), Some((6, 3)))));
}

#[test]
fn a_version_in_time_moves_the_end() {
    let active = ("active", 2, None, Some(9));
    assert_eq!(run(&[active, ("active", 8, None, Some(20))]), Some(((2, 1), Some((20, 2)))));
    assert_eq!(run(&[active, ("active", 6, None, Some(4))]), Some(((2, 1), Some((6, 2)))), "at once");
    // It runs again, but its end was told.
    assert_eq!(run(&[active, ("active", 10, None, Some(20))]), Some(((2, 1), Some((9, 1)))));
}

#[test]
fn an_archived_campaign_has_ended() {
    let active = ("active", 2, None, Some(9));
    assert_eq!(run(&[active, ("archived", 5, None, None)]), Some(((2, 1), Some((5, 2)))));
    assert_eq!(timeline(&[active]).end(at(3)), Some(Moment { at: at(9), version: 1 }));
}
