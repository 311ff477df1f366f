//! Facts of the management of campaigns.

use std::sync::Arc;

use futures_util::future::join_all;
use pointbook_campaigns::{CampaignId, MAX_RUNNING};
use pointbook_domain::{Activity, Timestamp};
use pointbook_points::campaigns::manage::{
    CampaignOutcome, CampaignRefusal, CampaignStep, MAX_CAMPAIGNS, MAX_VERSIONS, PutCampaign, ShownState,
    WrittenVersion, campaign, campaigns,
};
use pointbook_points::campaigns::rules_cache::{KnownVersions, RulesCache};
use pointbook_store::ports::{Database, TenantData};
use pointbook_store::schema::CAMPAIGN_VERSIONS;
use pointbook_store::schema::rows::CampaignVersionRow;
use serde_json::json;

use super::campaign_helpers::{CampaignFixture, awards};
use super::{add_tenant, campaign_helpers};
use crate::build::{activity, at, noon, on_day};
use crate::filled;
use crate::filled::put_campaign;

const SECOND: i64 = 1_000_000;

fn written(outcome: CampaignOutcome) -> WrittenVersion {
    match outcome {
        CampaignOutcome::Written(written) => written,
        other => panic!("{other:?}"),
    }
}

async fn versions(fixture: &CampaignFixture, id: &str, now: Timestamp) -> Vec<CampaignVersionRow> {
    campaign(&fixture.served, &CampaignId::new(id).unwrap(), now).await.unwrap().unwrap().versions
}

async fn state(fixture: &CampaignFixture, id: &str, now: Timestamp) -> ShownState {
    campaign(&fixture.served, &CampaignId::new(id).unwrap(), now).await.unwrap().unwrap().summary.state
}

/// All versions stay, with their author. The same definition is no version.
pub async fn each_change_of_a_campaign_is_a_version(database: Arc<dyn Database>) {
    let fixture = CampaignFixture::new(&database).await;
    let (one, other) = (json!({}), json!({"reward": {"points": 20}}));
    let CampaignOutcome::Created(first) = fixture.put(&one, None, noon()).await else { panic!("it is new") };
    assert_eq!((first.row.version, first.row.revision, first.state), (1, 1, ShownState::Draft));
    let CampaignOutcome::Unchanged(same) = fixture.put(&one, None, on_day(1)).await else {
        panic!("it is the same")
    };
    assert_eq!(same.row, first.row);
    assert_eq!(written(fixture.put(&other, None, on_day(1)).await).row.version, 2);
    let another = fixture.put(&json!({"id": "autumn"}), None, on_day(1)).await;
    assert!(matches!(another, CampaignOutcome::Created(_)), "{another:?}");
    assert_eq!(written(fixture.put(&one, None, on_day(2)).await).row.version, 3);
    let rows = versions(&fixture, "spring", on_day(3)).await;
    let shown: Vec<_> = rows.iter().map(|row| (row.revision, row.version, row.created_at)).collect();
    assert_eq!(shown, [(1, 1, noon()), (2, 2, on_day(1)), (4, 3, on_day(2))]);
    assert!(rows.iter().all(|row| row.created_by == "command-line" && row.state == "draft"), "{rows:?}");
    assert_eq!(rows[0].definition, campaign_helpers::campaign(&one).to_json());
    assert_eq!(rows[2].valid_from, on_day(2).plus_seconds(1), "as soon as every process knows it");
}

/// A draft gives nothing. What ended runs never again.
pub async fn a_campaign_takes_its_steps(database: Arc<dyn Database>) {
    use CampaignStep::{Archive, End, Pause, Resume, Schedule};
    let fixture = CampaignFixture::new(&database).await;
    let id = "spring";
    assert_eq!(fixture.step(id, Schedule, noon()).await, CampaignOutcome::NotFound);
    fixture.put(&json!({}), None, noon()).await;
    let steps = [
        (Pause, None, ShownState::Draft, 0),
        (Schedule, Some(()), ShownState::Running, 10),
        (Pause, Some(()), ShownState::Paused, 0),
        (Resume, Some(()), ShownState::Running, 10),
        (End, Some(()), ShownState::Ended, 0),
        (Archive, Some(()), ShownState::Archived, 0),
    ];
    for (minute, (step, taken, shown, bonus)) in (1_i64..).zip(steps) {
        let now = at(minute * 60 * SECOND);
        match (fixture.step(id, step, now).await, taken) {
            (CampaignOutcome::Written(_), Some(())) => {}
            (CampaignOutcome::Refused(CampaignRefusal::WrongStep(refused, in_state)), None) => {
                assert_eq!((refused, in_state), (step, shown));
            }
            (other, _) => panic!("{step:?}: {other:?}"),
        }
        let later = now.plus_seconds(2);
        assert_eq!(state(&fixture, id, later).await, shown, "{step:?}");
        let new = Activity { created_at: later, ..activity(&format!("s{minute}"), 100) };
        let earned = fixture.earn("u1", new).await.transaction.activity.bonuses.total().get();
        assert_eq!(earned, bonus, "{step:?}");
    }
    let closed = fixture.put(&json!({"priority": 1}), None, on_day(1)).await;
    assert_eq!(closed, CampaignOutcome::Refused(CampaignRefusal::Closed(ShownState::Archived)));
    assert!(campaigns(&fixture.served, on_day(1), false).await.unwrap().is_empty());
    assert_eq!(campaigns(&fixture.served, on_day(1), true).await.unwrap().len(), 1);
}

/// Otherwise it would run again without anybody's wish.
pub async fn a_pause_pauses_what_takes_over_later(database: Arc<dyn Database>) {
    let fixture = CampaignFixture::new(&database).await;
    fixture.start(&json!({})).await;
    fixture.put(&json!({"reward": {"points": 20}}), Some(on_day(1)), noon()).await;
    let early = fixture.put(&json!({"priority": 1}), None, noon()).await;
    assert_eq!(early, CampaignOutcome::Refused(CampaignRefusal::LaterVersion(on_day(1))));
    let earn = async |source: &str, day: i64, seconds: i64| {
        let created_at = at(day * 86_400 * SECOND + seconds * SECOND);
        let new = Activity { created_at, ..activity(source, 100) };
        fixture.earn("u1", new).await.transaction.activity.bonuses.total().get()
    };
    written(fixture.step("spring", CampaignStep::Pause, noon()).await);
    assert_eq!((earn("s1", 0, 0).await, earn("s2", 0, 1).await), (10, 0));
    assert_eq!((earn("s3", 1, 0).await, earn("s4", 1, 1).await), (0, 0));
    written(fixture.step("spring", CampaignStep::Resume, on_day(1)).await);
    assert_eq!(earn("s5", 1, 2).await, 20);
    let rows = versions(&fixture, "spring", on_day(2)).await;
    let shown: Vec<_> = rows.iter().map(|row| (row.version, row.state.as_str())).collect();
    let expected = [(1, "draft"), (2, "active"), (3, "active"), (4, "paused"), (5, "paused"), (6, "active")];
    assert_eq!(shown, expected);
}

/// Points of an activity of this minute, recorded ten minutes after noon.
async fn late_bonus(fixture: &CampaignFixture, minute: i64) -> i64 {
    let new = Activity { created_at: at(minute * 60 * SECOND), ..activity(&format!("m{minute}"), 100) };
    fixture.record("u1", new, at(600 * SECOND)).await;
    let awards = awards(&fixture.data).await;
    awards.iter().max_by_key(|award| award.seq).map_or(0, |award| award.points.get())
}

/// A wrong draft that was corrected never counts, also not for the time in which it was the newest one. A planned draft keeps its time.
pub async fn a_schedule_for_the_past_takes_the_newest_draft(database: Arc<dyn Database>) {
    let fixture = CampaignFixture::new(&database).await;
    fixture.put(&json!({"reward": {"percent": 10_000}}), None, noon()).await;
    fixture.put(&json!({"reward": {"percent": 100}}), None, at(60 * SECOND)).await;
    fixture.put(&json!({"reward": {"percent": 50}}), Some(at(540 * SECOND)), at(120 * SECOND)).await;
    let (now, past) = (at(240 * SECOND), at(-120 * SECOND));
    let scheduled = written(fixture.step_at("spring", CampaignStep::Schedule, now, Some(past)).await);
    assert_eq!((scheduled.row.version, scheduled.row.valid_from), (4, past));
    for (minute, bonus) in [(-1, 100), (0, 100), (2, 100), (5, 100), (9, 50)] {
        assert_eq!(late_bonus(&fixture, minute).await, bonus, "{minute}");
    }
}

/// The state of a scheduled draft is not that of the draft, and it has the steps of its state.
pub async fn a_planned_start_is_scheduled_and_not_a_draft(database: Arc<dyn Database>) {
    use CampaignStep::{Archive, End, Pause, Resume, Schedule};
    let fixture = CampaignFixture::new(&database).await;
    fixture.put(&json!({}), None, noon()).await;
    written(fixture.step_at("spring", Schedule, on_day(1), Some(on_day(9))).await);
    let listed = campaigns(&fixture.served, on_day(2), false).await.unwrap();
    assert_eq!((listed[0].state, listed[0].row.valid_from), (ShownState::Scheduled, on_day(9)));
    let wrong = |step, state| CampaignOutcome::Refused(CampaignRefusal::WrongStep(step, state));
    for step in [Schedule, Archive] {
        assert_eq!(fixture.step("spring", step, on_day(2)).await, wrong(step, ShownState::Scheduled));
    }
    written(fixture.step("spring", Pause, on_day(3)).await);
    assert_eq!(state(&fixture, "spring", on_day(4)).await, ShownState::Paused);
    assert_eq!(fixture.step("spring", Schedule, on_day(4)).await, wrong(Schedule, ShownState::Paused));
    written(fixture.step("spring", Resume, on_day(4)).await);
    assert_eq!(state(&fixture, "spring", on_day(5)).await, ShownState::Scheduled);
    assert_eq!(state(&fixture, "spring", on_day(9)).await, ShownState::Running);
    written(fixture.step("spring", End, on_day(6)).await);
    for day in [7, 10] {
        assert_eq!(state(&fixture, "spring", on_day(day)).await, ShownState::Ended);
    }
}

/// No definition and no step can take a planned end back. An earlier one can follow it.
pub async fn a_planned_end_is_final(database: Arc<dyn Database>) {
    use CampaignStep::{End, Pause, Resume};
    let fixture = CampaignFixture::new(&database).await;
    fixture.start(&json!({})).await;
    written(fixture.step_at("spring", End, noon(), Some(on_day(9))).await);
    assert_eq!(state(&fixture, "spring", on_day(1)).await, ShownState::Running);
    let closing = CampaignOutcome::Refused(CampaignRefusal::Closing(ShownState::Ended, on_day(9)));
    let priority = json!({"priority": 1});
    assert_eq!(fixture.put(&priority, Some(on_day(9)), on_day(1)).await, closing);
    assert_eq!(fixture.step("spring", Resume, on_day(1)).await, closing);
    written(fixture.step("spring", Pause, on_day(2)).await);
    assert_eq!(fixture.put(&priority, Some(on_day(20)), on_day(3)).await, closing);
    written(fixture.step("spring", End, on_day(4)).await);
    let closed = CampaignOutcome::Refused(CampaignRefusal::Closed(ShownState::Ended));
    assert_eq!(fixture.put(&priority, None, on_day(10)).await, closed);
}

fn stored(revision: usize, id: &str, version: usize) -> CampaignVersionRow {
    let definition = campaign_helpers::campaign(&json!({"id": id, "priority": revision})).to_json();
    CampaignVersionRow {
        revision: revision as u64,
        campaign_id: id.to_owned(),
        version: u32::try_from(version).unwrap(),
        state: "draft".to_owned(),
        valid_from: noon(),
        definition,
        created_at: noon(),
        created_by: "command-line".to_owned(),
    }
}

/// Rows that are there already count.
pub async fn campaigns_and_their_versions_are_bounded(database: Arc<dyn Database>) {
    let fixture = CampaignFixture::new(&database).await;
    let most_versions = MAX_VERSIONS as usize;
    let versions = (1..most_versions).map(|number| stored(number, "spring", number));
    let others =
        (1..MAX_CAMPAIGNS - 1).map(|number| stored(most_versions - 1 + number, &format!("c{number}"), 1));
    let rows: Vec<_> = versions.chain(others).collect();
    for part in rows.chunks(300) {
        fixture.data.write_rows(&CAMPAIGN_VERSIONS, &filled::rows(part)).await.unwrap();
    }
    let put = async |id: &str, priority: i64| {
        fixture.put(&json!({"id": id, "priority": -priority}), None, on_day(1)).await
    };
    assert_eq!(written(put("spring", 1).await).row.version, MAX_VERSIONS);
    assert_eq!(put("spring", 2).await, CampaignOutcome::Refused(CampaignRefusal::TooManyVersions));
    let last = put("last", 1).await;
    assert!(matches!(last, CampaignOutcome::Created(_)), "{last:?}");
    assert_eq!(put("one-more", 1).await, CampaignOutcome::Refused(CampaignRefusal::TooManyCampaigns));
    assert_eq!(written(put("last", 2).await).row.version, 2);
    let members: Vec<String> = (0..1_000).map(|number| format!("{number:0>70}")).collect();
    let long = json!({"id": "last", "conditions": {"members": members}});
    let refused = fixture.put(&long, None, on_day(1)).await;
    assert_eq!(refused, CampaignOutcome::Refused(CampaignRefusal::DefinitionTooLong));
}

/// A campaign that reaches the limit can be paused, ended and archived at once, and not resumed or ended later.
pub async fn a_campaign_at_a_limit_can_be_stopped(database: Arc<dyn Database>) {
    use CampaignStep::{Archive, End, Pause, Resume};
    let fixture = CampaignFixture::new(&database).await;
    let rows: Vec<_> = (1..=MAX_VERSIONS as usize)
        .map(|number| CampaignVersionRow { state: "active".to_owned(), ..stored(number, "spring", number) })
        .collect();
    fixture.data.write_rows(&CAMPAIGN_VERSIONS, &filled::rows(&rows)).await.unwrap();
    let refused = CampaignOutcome::Refused(CampaignRefusal::TooManyVersions);
    assert_eq!(fixture.step_at("spring", End, on_day(1), Some(on_day(3))).await, refused);
    written(fixture.step("spring", Pause, on_day(1)).await);
    assert_eq!(fixture.step("spring", Resume, on_day(2)).await, refused);
    written(fixture.step("spring", End, on_day(3)).await);
    written(fixture.step("spring", Archive, on_day(4)).await);
    assert_eq!(versions(&fixture, "spring", on_day(5)).await.len(), MAX_VERSIONS as usize + 3);
}

fn running(number: usize) -> CampaignVersionRow {
    CampaignVersionRow { state: "active".to_owned(), ..stored(number, &format!("c{number}"), 1) }
}

/// A campaign with a planned pause runs until then. One whose time is over can run again only when another one may run.
pub async fn campaigns_that_run_are_bounded(database: Arc<dyn Database>) {
    use CampaignStep::{End, Pause, Schedule};
    let fixture = CampaignFixture::new(&database).await;
    let rows: Vec<_> = (1..MAX_RUNNING).map(running).collect();
    fixture.data.write_rows(&CAMPAIGN_VERSIONS, &filled::rows(&rows)).await.unwrap();
    let over = |ends_at: &str| json!({"id": "over", "ends_at": ends_at});
    fixture.put(&over("2024-03-02T00:00:00Z"), None, on_day(-30)).await;
    written(fixture.step("over", Schedule, on_day(-30)).await);
    fixture.put(&json!({}), None, on_day(99)).await;
    written(fixture.step("spring", Schedule, on_day(99)).await);
    written(fixture.step_at("c1", Pause, on_day(100), Some(on_day(300))).await);
    let refused = CampaignOutcome::Refused(CampaignRefusal::TooManyRunning);
    fixture.put(&json!({"id": "more"}), None, on_day(100)).await;
    assert_eq!(fixture.step("more", Schedule, on_day(101)).await, refused);
    assert_eq!(fixture.put(&over("2028-01-01T00:00:00Z"), None, on_day(101)).await, refused);
    written(fixture.put(&json!({"priority": 1}), None, on_day(101)).await);
    written(fixture.step("c2", End, on_day(102)).await);
    written(fixture.put(&over("2028-01-01T00:00:00Z"), None, on_day(103)).await);
    assert_eq!(fixture.step("more", Schedule, on_day(104)).await, refused);
}

/// A change reads the versions before its turn.
pub async fn a_change_sees_what_was_added_after_it_read(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let put = |id: &str, priority: u32, known: &KnownVersions| {
        put_campaign(&json!({"id": id, "priority": priority}), noon(), known.clone())
    };
    let nothing = KnownVersions::default();
    data.write(put("spring", 0, &nothing)).await.unwrap();
    let known = RulesCache::new(data.clone()).known().await.unwrap();
    data.write(put("spring", 1, &nothing)).await.unwrap();
    data.write(put("other", 1, &nothing)).await.unwrap();
    let third = row(data.write(put("spring", 2, &known)).await.unwrap());
    assert_eq!((third.version, third.revision), (3, 4));
    let of_second = PutCampaign { after: Some(2), ..put("spring", 3, &known) };
    let refused = CampaignOutcome::Refused(CampaignRefusal::OtherVersion(3));
    assert_eq!(data.write(of_second).await.unwrap(), refused);
}

/// Writers of the same campaign, and of others.
pub async fn changes_of_campaigns_at_once_have_no_gap(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let writers = (0..20).map(|writer| {
        let data: Arc<dyn TenantData> = data.clone();
        let id = if writer % 2 == 0 { "spring".to_owned() } else { format!("c{writer}") };
        let put = put_campaign(&json!({"id": id, "priority": writer}), noon(), KnownVersions::default());
        tokio::spawn(async move { data.write(put).await.unwrap() })
    });
    let mut rows: Vec<_> = join_all(writers).await.into_iter().map(|outcome| row(outcome.unwrap())).collect();
    rows.sort_unstable_by_key(|row| row.revision);
    assert!(rows.iter().map(|row| row.revision).eq(1..=20));
    let spring = rows.iter().filter(|row| row.campaign_id == "spring");
    assert!(spring.map(|row| row.version).eq(1..=10));
}

fn row(outcome: CampaignOutcome) -> CampaignVersionRow {
    match outcome {
        CampaignOutcome::Created(written) | CampaignOutcome::Written(written) => written.row,
        other => panic!("{other:?}"),
    }
}
