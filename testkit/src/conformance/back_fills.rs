//! Facts of back-fills: they give what a back-test found, each award once for ever.

use std::sync::Arc;
use std::time::Duration;

use pointbook_domain::{Activity, BonusOrigin, Timestamp};
use pointbook_points::audit::ledger::audit_ledger;
use pointbook_points::campaigns::back_fill::{
    BACK_FILL_JOB, BackFillOutcome, back_fill, cancel_back_fill, request_back_fill, run_pending_back_fill,
};
use pointbook_points::campaigns::back_test::{
    BackTestOutcome, BackTestRequest, BackTestResult, back_test, request_back_test, run_pending_back_test,
};
use pointbook_points::campaigns::manage::CampaignStep;
use pointbook_points::earning::reverse_transaction::{ReversalOutcome, reverse_transaction};
use pointbook_store::Context;
use pointbook_store::ports::{Database, LedgerEntry};
use pointbook_store::schema::rows::BackFillRow;
use serde_json::{Value, json};

use super::back_tests::{HOUR_MICROS, activities, campaign_id};
use super::campaign_helpers::{CampaignFixture, awards, spent};
use super::campaign_races::wanted;
use crate::build::{activity, noon, on_day, points, user_id};
use crate::{FixedClock, build};

struct Scene {
    fixture: CampaignFixture,
}

impl Scene {
    /// A tenant with the draft `spring` and twenty activities, one without points. The draft gives ten points unless the fields say
    /// something else.
    async fn new(database: &Arc<dyn Database>, fields: &Value) -> Self {
        let fixture = CampaignFixture::new(database).await;
        fixture.put(fields, None, on_day(-1)).await;
        for (user, new) in activities().take(20) {
            fixture.earn(&user, new).await;
        }
        Self { fixture }
    }

    fn context<T>(&self) -> Context<T> {
        self.fixture.context(on_day(41))
    }

    /// Tests the newest version on the events of thirty days.
    async fn test(&self) -> BackTestResult {
        let (from, until) = (noon(), on_day(30));
        let request = BackTestRequest { campaign: campaign_id("spring"), version: None, from, until };
        let requested = request_back_test(&self.context(), request).await.unwrap();
        assert!(matches!(requested.without_key().unwrap(), BackTestOutcome::Stored(_)));
        run_pending_back_test(&self.context(), &clock()).await.unwrap();
        back_test(&self.fixture.served, &campaign_id("spring"), None).await.unwrap().unwrap().result.unwrap()
    }

    async fn request(&self, version: u32) -> BackFillOutcome {
        let execution = request_back_fill(&self.context(), &campaign_id("spring"), version, None).await;
        execution.unwrap().without_key().unwrap()
    }

    async fn run(&self) -> Option<BackFillRow> {
        run_pending_back_fill(&self.context(), &clock()).await.unwrap()
    }

    /// Requests a back-fill of a version and runs it. Returns its state, what it gave, and how many awards it left out.
    async fn fill(&self, version: u32) -> (String, u64, i64, u64) {
        let BackFillOutcome::Stored(_) = self.request(version).await else { panic!("refused") };
        let BackFillRow {
            state,
            found_awards,
            paid_before,
            given_awards,
            given_points,
            left_out,
            ended_at,
            ..
        } = self.run().await.unwrap();
        assert_eq!(ended_at, Some(on_day(42)));
        assert_eq!(found_awards, paid_before + given_awards + left_out);
        (state, given_awards, given_points, left_out)
    }

    async fn cancel(&self) -> BackFillOutcome {
        cancel_back_fill(&self.context::<()>(), campaign_id("spring")).await.unwrap()
    }

    /// The rows of a user, with the newest first.
    async fn rows(&self, user: &str) -> Vec<LedgerEntry> {
        let mut rows = self.fixture.data.entries_after(Some((&user_id(user), 0)), 100).await.unwrap();
        rows.retain(|row| row.user_id == user_id(user));
        rows.reverse();
        rows
    }

    async fn reverse(&self, row: &LedgerEntry) {
        let transaction = (row.user_id.clone(), row.transaction.id.clone());
        let reversed = reverse_transaction(&self.context(), wanted(transaction, "returned")).await;
        let outcome = reversed.unwrap().without_key().unwrap();
        assert!(matches!(outcome, ReversalOutcome::Reversed(_)), "{outcome:?}");
    }

    async fn audit(&self) {
        let data = &*self.fixture.data;
        let mut differences = Vec::new();
        audit_ledger(data, |user| differences.extend(user.differences.clone())).await.unwrap();
        assert!(differences.is_empty(), "{differences:?}");
    }
}

/// The clock of the runs.
fn clock() -> FixedClock {
    FixedClock::new(on_day(42))
}

/// The awards and points that a back-fill would give.
fn due(result: &BackTestResult) -> (u64, i64) {
    (result.due.awards, result.due.points)
}

fn done(given: u64, points: i64, left_out: u64) -> (String, u64, i64, u64) {
    ("done".to_owned(), given, points, left_out)
}

pub async fn a_back_fill_gives_each_award_once(database: Arc<dyn Database>) {
    let scene = Scene::new(&database, &json!({})).await;
    assert_eq!(scene.request(1).await, BackFillOutcome::NotTested);
    assert_eq!((scene.cancel().await, scene.run().await), (BackFillOutcome::NotFound, None));
    let found = scene.test().await;
    assert_eq!((found.awards, found.points, found.paid.awards), (19, 190, 0));
    assert_eq!(due(&found), (19, 190));
    let before = scene.rows("u1").await[0].balance_after;
    assert_eq!(scene.request(9).await, BackFillOutcome::NotFound);
    assert!(matches!(scene.request(1).await, BackFillOutcome::Stored(_)));
    assert_eq!(scene.request(1).await, BackFillOutcome::Running);
    assert_eq!(database.due_jobs(&[BACK_FILL_JOB], on_day(41), 10).await.unwrap().len(), 1);
    let row = scene.run().await.unwrap();
    assert_eq!((row.state.as_str(), row.given_awards, row.given_points), ("done", 19, 190));

    let rows = scene.rows("u1").await;
    let filled: Vec<_> =
        rows.iter().filter(|row| row.transaction.bonus_origin == BonusOrigin::BackFill).collect();
    assert_eq!(rows.len(), 2 * filled.len(), "one for each activity");
    let bonuses = points(10 * i64::try_from(filled.len()).unwrap());
    assert_eq!(rows[0].balance_after, before.checked_add(bonuses).unwrap());
    assert!(filled.iter().all(|row| row.transaction.activity.created_at == on_day(42)), "{filled:?}");

    let again = scene.test().await;
    assert_eq!((again.awards, again.paid.points, again.differing), (19, 190, 0));
    assert_eq!(due(&again), (0, 0));
    assert_eq!(scene.fill(1).await, done(0, 0, 0));
    assert_eq!(awards(&scene.fixture.data).await.len(), 19);
    scene.audit().await;
}

pub async fn a_back_fill_tops_up_and_leaves_reversed_rows_out(database: Arc<dyn Database>) {
    let fixture = CampaignFixture::new(&database).await;
    fixture.start(&json!({"reward": {"points": 5}})).await;
    for (user, new) in activities().take(20) {
        fixture.earn(&user, new).await;
    }
    fixture.put(&json!({"reward": {"points": 7}}), None, on_day(40)).await;
    let scene = Scene { fixture };
    assert_eq!(scene.test().await.differing, 19);
    let [newest, ..] = &scene.rows("u1").await[..] else { panic!("no row") };
    scene.reverse(newest).await;
    assert_eq!(due(&scene.test().await), (18, 36), "without the reversed one");
    assert_eq!(scene.fill(3).await, done(18, 36, 1));
    let filled = scene.test().await;
    assert_eq!((filled.differing, due(&filled)), (1, (0, 0)), "the reversed one");
    assert_eq!(scene.fill(3).await, done(0, 0, 1));
    scene.audit().await;
}

pub async fn a_budget_pays_for_a_back_fill(database: Arc<dyn Database>) {
    let scene = Scene::new(&database, &json!({"limits": {"budget": {"points": 100}}})).await;
    scene.fixture.step("spring", CampaignStep::Schedule, on_day(31)).await;
    let found = scene.test().await;
    assert_eq!((found.awards, found.points), (10, 100));
    for day in [32, 33, 34] {
        let new = Activity { created_at: on_day(day), ..activity(&format!("live{day}"), 1) };
        assert_eq!(scene.fixture.earn("u8", new).await.transaction.activity.bonuses.total().get(), 10);
    }
    assert_eq!(scene.fill(2).await, done(7, 70, 3));
    assert_eq!(spent(&scene.fixture.data).await, (10, 100));
    let rows = scene.rows("u1").await;
    let filled = rows.iter().find(|row| row.transaction.bonus_origin == BonusOrigin::BackFill);
    scene.reverse(filled.unwrap()).await;
    assert_eq!(spent(&scene.fixture.data).await, (9, 90), "a reversal gives the budget back");
    scene.audit().await;
}

/// An award counts in the period of the activity.
pub async fn back_filled_awards_count_for_limits(database: Arc<dyn Database>) {
    let once = json!({"limits": {"per_user": [{"period": "month", "awards": 1}]}});
    let scene = Scene::new(&database, &once).await;
    scene.test().await;
    let (state, given, ..) = scene.fill(1).await;
    assert_eq!((state.as_str(), given > 0), ("done", true));
    let CampaignFixture { data, .. } = &scene.fixture;
    assert_eq!(awards(data).await.len() as u64, given);
    scene.fixture.step("spring", CampaignStep::Schedule, on_day(-1)).await;
    let bonus = async |user: &str, at: Timestamp, source: &str| {
        let new = Activity { created_at: at, ..activity(source, 50) };
        scene.fixture.earn(user, new).await.transaction.activity.bonuses.total().get()
    };
    let soon = build::at(30 * HOUR_MICROS);
    assert_eq!((bonus("u1", soon, "x").await, bonus("u9", soon, "x").await), (0, 10));
    assert_eq!(bonus("u1", on_day(45), "y").await, 10, "another month");
    scene.audit().await;
}

pub async fn a_back_fill_is_cancelled(database: Arc<dyn Database>) {
    let scene = Scene::new(&database, &json!({})).await;
    scene.test().await;
    scene.request(1).await;
    let BackFillOutcome::Stored(cancelled) = scene.cancel().await else { panic!("not cancelled") };
    assert_eq!((cancelled.state.as_str(), cancelled.ended_at), ("cancelled", Some(on_day(41))));
    assert_eq!(scene.run().await, None);
    let mut given = 0;
    for _ in 0..10 {
        assert!(matches!(scene.request(1).await, BackFillOutcome::Stored(_)));
        let (_, cancelled) = tokio::join!(scene.run(), scene.cancel());
        let BackFillOutcome::Stored(row) = cancelled else { panic!("{cancelled:?}") };
        let stored = back_fill(&scene.fixture.served, &campaign_id("spring"), None).await.unwrap().unwrap();
        assert_eq!(stored, row, "it stays as it is");
        given += row.given_awards;
        assert_eq!(awards(&scene.fixture.data).await.len() as u64, given);
    }
    scene.audit().await;
}

/// A killed process leaves a back-fill that seems to run.
pub async fn a_killed_back_fill_goes_on(database: Arc<dyn Database>) {
    let scene = Scene::new(&database, &json!({})).await;
    scene.test().await;
    scene.request(1).await;
    for micros in [0, 200, 1_000, 2_000, 5_000] {
        if tokio::time::timeout(Duration::from_micros(micros), scene.run()).await.is_ok() {
            break;
        }
    }
    scene.run().await;
    let row = back_fill(&scene.fixture.served, &campaign_id("spring"), Some(1)).await.unwrap().unwrap();
    assert_eq!((row.state.as_str(), row.given_awards, row.given_points), ("done", 19, 190));
    assert_eq!(awards(&scene.fixture.data).await.len(), 19);
    scene.audit().await;
}
