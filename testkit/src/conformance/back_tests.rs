//! Facts of back-tests: they agree with what ran live, and a tenant runs one at a time.

use std::sync::Arc;
use std::time::Duration;

use pointbook_campaigns::CampaignId;
use pointbook_domain::{Activity, ActivityType, Day, FieldChange, Timestamp};
use pointbook_points::campaigns::back_test::{
    BACK_TEST_JOB, BackTest, BackTestDetail, BackTestOutcome, BackTestRequest, BackTestResult, BackTestState,
    back_test, cancel_back_test, request_back_test, run_back_test, run_pending_back_test, version_to_test,
};
use pointbook_points::earning::reverse_transaction::{ReversalOutcome, reverse_transaction};
use pointbook_points::members::put::ChangeUser;
use pointbook_store::Context;
use pointbook_store::ports::{Database, UserChange};
use serde_json::{Value, json};

use super::campaign_helpers::{CampaignFixture, awards};
use super::campaign_races::wanted;
use crate::build::{activity, noon, on_day, user_id};
use crate::{FixedClock, build};

pub(super) const HOUR_MICROS: i64 = 3_600_000_000;

pub(super) fn campaign_id(id: &str) -> CampaignId {
    CampaignId::new(id).unwrap()
}

fn with_budget(budget: &Value) -> Value {
    json!({"id": "budget", "title": {"en": "Budget"}, "reward": {"percent": 70}, "limits": {"budget": budget}})
}

/// Campaigns with each kind of counter. Each has another title, so that what it paid is known.
fn definitions() -> Vec<Value> {
    vec![
        json!({
            "id": "limits", "title": {"en": "Limits", "de": "Grenzen"}, "reward": {"percent": 50, "at_most": 30},
            "limits": {"per_user": [{"period": "day", "awards": 2}, {"period": "week", "points": 100}]},
        }),
        json!({
            "id": "welcome", "kind": "welcome", "title": {"en": "Welcome"}, "reward": {"points": 100},
            "conditions": {"types": ["code"], "ordinal": {"first": true, "of": "type"}},
        }),
        json!({
            "id": "third", "title": {"en": "Third"}, "reward": {"points": 7},
            "conditions": {"ordinal": {"every": 3, "of": "all"}, "weekdays": ["thu", "sat"]},
        }),
        json!({
            "id": "birthday", "kind": "birthday", "title": {"en": "Birthday"}, "reward": {"percent": 100},
            "conditions": {"birthday": {"window": "week", "pays": "first"}},
        }),
        json!({"id": "half", "title": {"en": "Half"}, "reward": {"points": 3}, "control_percent": 50}),
        with_budget(&json!({"points": 1_503})),
        // It comes last, and the ceiling leaves room for it.
        json!({
            "id": "skipping", "kind": "skipping", "title": {"en": "Skipping"}, "reward": {"percent": 170}, "priority": -1,
            "conditions": {"min_points": 20},
            "limits": {
                "per_user": [{"period": "day", "awards": 1, "points": 140}], "budget": {"points": 1_000},
                "on_points_limit": "skip",
            },
        }),
    ]
}

/// Two hundred activities of seven users, one each hour, in the order of recording.
pub(super) fn activities() -> impl Iterator<Item = (String, Activity)> {
    (0..200).map(|number| {
        let kind = if number % 3 == 0 { "video" } else { "code" };
        let new = Activity {
            kind: ActivityType::new(kind).unwrap(),
            created_at: build::at(number * HOUR_MICROS),
            ..activity(&format!("s{number}"), number * 37 % 90)
        };
        (format!("u{}", number * number % 7), new)
    })
}

async fn test(fixture: &CampaignFixture, id: &str, from: Timestamp, until: Timestamp) -> BackTestResult {
    let context: Context = fixture.context(on_day(100));
    let version = version_to_test(&context.tenant, &campaign_id(id), None).await.unwrap().unwrap();
    let mut rows = 0;
    let mut progress = |read| rows = read;
    let test = BackTest { version, from, until };
    let result = run_back_test(&context, &test, &mut progress).await.unwrap().unwrap();
    assert!(rows >= 200, "{rows}");
    result
}

/// The same rows, the same rules and the same counters.
pub async fn a_back_test_of_what_ran_live_differs_in_nothing(database: Arc<dyn Database>) {
    let fixture = CampaignFixture::new(&database).await;
    let birth_date = FieldChange::Set(Day::from_days(noon().day().as_days() - 30 * 1_461 + 2));
    let change = UserChange { birth_date, ..build::user_change("u1") };
    fixture.data.write(ChangeUser { change, now: on_day(-60) }).await.unwrap();
    for definition in definitions() {
        fixture.start(&definition).await;
    }
    let mut reversed = Vec::new();
    for (user, new) in activities() {
        let recorded = fixture.earn(&user, new).await;
        if recorded.seq % 10 == 0 {
            reversed.push((user_id(&user), recorded.transaction.id.clone()));
        }
    }
    // Reversals give the budget back, so they come when no activity follows.
    for row in reversed {
        let (context, reversal) = (fixture.context(on_day(20)), wanted(row, "returned"));
        let outcome = reverse_transaction(&context, reversal).await.unwrap().without_key().unwrap();
        assert!(matches!(outcome, ReversalOutcome::Reversed(_)), "{outcome:?}");
    }
    let given = awards(&fixture.data).await;
    for definition in definitions() {
        let id = definition["id"].as_str().unwrap();
        let of_campaign: Vec<_> = given.iter().filter(|award| award.campaign_id == id).collect();
        let live: (u64, i64) =
            (of_campaign.len() as u64, of_campaign.iter().map(|award| award.points.get()).sum());
        let result = test(&fixture, id, noon(), on_day(30)).await;
        assert_eq!((result.awards, result.points), live, "{id}");
        assert_eq!((result.paid.awards, result.paid.points), live, "{id}");
        assert_eq!((result.differing, &result.differing_rows[..]), (0, &[][..]), "{id}");
        assert_eq!((result.activities, live.0 > 0), (200, true), "{id}");
        let days = result.days.iter().map(|day| day.points).sum::<i64>();
        let users = result.top_users.iter().map(|user| user.points).sum::<i64>();
        assert_eq!((days, users, result.users), (live.1, live.1, result.top_users.len() as u64), "{id}");
    }
    let clipped = test(&fixture, "budget", noon(), on_day(30)).await;
    assert_eq!((clipped.points, clipped.clipped), (1_503, 1));
}

/// A tenant with the campaign `spring` and some rows.
async fn scene(database: &Arc<dyn Database>) -> CampaignFixture {
    let fixture = CampaignFixture::new(database).await;
    fixture.start(&json!({})).await;
    for (user, new) in activities().take(20) {
        fixture.earn(&user, new).await;
    }
    fixture
}

async fn request(fixture: &CampaignFixture, id: &str, version: Option<u32>) -> BackTestOutcome {
    let request = BackTestRequest { campaign: campaign_id(id), version, from: noon(), until: on_day(30) };
    let execution = request_back_test(&fixture.context(on_day(40)), request).await;
    execution.unwrap().without_key().unwrap()
}

async fn stored(fixture: &CampaignFixture, version: Option<u32>) -> Option<BackTestDetail> {
    back_test(&fixture.served, &campaign_id("spring"), version).await.unwrap()
}

async fn cancel(fixture: &CampaignFixture) -> BackTestOutcome {
    cancel_back_test(&fixture.context::<()>(on_day(41)), campaign_id("spring")).await.unwrap()
}

/// The versions of a campaign keep their results.
pub async fn a_requested_back_test_is_run_and_kept(database: Arc<dyn Database>) {
    let fixture = &scene(&database).await;
    let (context, clock): (Context, _) = (fixture.context(on_day(41)), FixedClock::new(on_day(41)));
    assert_eq!(request(fixture, "autumn", None).await, BackTestOutcome::NotFound);
    assert_eq!(request(fixture, "spring", Some(9)).await, BackTestOutcome::NotFound);
    assert_eq!((stored(fixture, None).await, cancel(fixture).await), (None, BackTestOutcome::NotFound));
    assert_eq!(run_pending_back_test(&context, &clock).await.unwrap(), None);
    let BackTestOutcome::Stored(queued) = request(fixture, "spring", None).await else { panic!("refused") };
    assert_eq!((queued.version, queued.state.as_str()), (2, "queued"));
    assert_eq!(request(fixture, "spring", Some(1)).await, BackTestOutcome::Running);
    let due = database.due_jobs(&[BACK_TEST_JOB], on_day(40), 10).await.unwrap();
    assert_eq!(due.len(), 1, "the request makes the job due");
    assert_eq!(run_pending_back_test(&context, &clock).await.unwrap(), Some(BackTestState::Done));
    let BackTestDetail { row, result } = stored(fixture, None).await.unwrap();
    assert_eq!((row.state.as_str(), row.rows_read, row.rows_total), ("done", 20, Some(20)));
    assert_eq!(row.ended_at, Some(on_day(41)));
    let result = result.unwrap();
    assert_eq!((result.awards, result.points, result.differing), (19, 190, 0), "one row has no points");
    // The first version has the same definition. Its test leaves the other result.
    assert!(matches!(request(fixture, "spring", Some(1)).await, BackTestOutcome::Stored(_)));
    assert_eq!(run_pending_back_test(&context, &clock).await.unwrap(), Some(BackTestState::Done));
    for version in [1, 2] {
        let detail = stored(fixture, Some(version)).await.unwrap();
        assert_eq!((detail.row.version, detail.result.as_ref()), (version, Some(&result)));
    }
    assert_eq!(stored(fixture, Some(3)).await, None);
}

/// A cancelled test gives way to the next one, and one that has ended stays.
pub async fn a_back_test_is_cancelled(database: Arc<dyn Database>) {
    let fixture = &scene(&database).await;
    let (context, clock): (Context, _) = (fixture.context(on_day(41)), FixedClock::new(on_day(41)));
    request(fixture, "spring", None).await;
    let BackTestOutcome::Stored(cancelled) = cancel(fixture).await else { panic!("not cancelled") };
    assert_eq!((cancelled.state.as_str(), cancelled.ended_at), ("cancelled", Some(on_day(41))));
    assert_eq!(run_pending_back_test(&context, &clock).await.unwrap(), None);
    assert_eq!(stored(fixture, None).await.unwrap(), BackTestDetail { row: cancelled, result: None });
    for _ in 0..10 {
        assert!(matches!(request(fixture, "spring", None).await, BackTestOutcome::Stored(_)));
        let (ran, cancelled) = tokio::join!(run_pending_back_test(&context, &clock), cancel(fixture));
        let BackTestOutcome::Stored(row) = cancelled else { panic!("{cancelled:?}") };
        let detail = stored(fixture, None).await.unwrap();
        assert_eq!((&detail.row, detail.result.is_some()), (&row, row.state == "done"));
        let is_done = ran.unwrap() == Some(BackTestState::Done);
        assert_eq!(row.state, if is_done { "done" } else { "cancelled" });
    }
}

/// A killed process leaves a test that seems to run. The next run begins again.
pub async fn a_killed_back_test_begins_again(database: Arc<dyn Database>) {
    let fixture = &scene(&database).await;
    let (context, clock): (Context, _) = (fixture.context(on_day(41)), FixedClock::new(on_day(41)));
    request(fixture, "spring", None).await;
    for micros in [0, 200, 1_000, 5_000] {
        let run = run_pending_back_test(&context, &clock);
        if tokio::time::timeout(Duration::from_micros(micros), run).await.is_ok() {
            break;
        }
    }
    // A run that was cut off may end the test before this one does.
    run_pending_back_test(&context, &clock).await.unwrap();
    let BackTestDetail { row, result } = stored(fixture, None).await.unwrap();
    assert_eq!((row.state.as_str(), row.rows_read, result.unwrap().awards), ("done", 20, 19));
}
