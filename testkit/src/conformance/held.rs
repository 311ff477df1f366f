//! Facts of held activities: their points wait, are released once, or are voided.

use std::sync::Arc;

use pointbook_campaigns::VerdictResult;
use pointbook_domain::{Activity, Points, TransactionId};
use pointbook_points::audit::audit_sums;
use pointbook_points::earning::explain::explain;
use pointbook_points::earning::record_activities::NewActivity;
use pointbook_points::held::{
    HoldActivity, HoldOutcome, VoidActivity, VoidOutcome, hold_activity, release_due, void_activity,
};
use pointbook_store::ports::{Cell, Database, LedgerEntry, RecordActivityOutcome, RecordOutcome, TenantData};
use pointbook_store::schema::HELD_ACTIVITIES;
use pointbook_store::{Context, StoreError};
use serde_json::json;

use super::add_tenant;
use super::campaign_helpers::CampaignFixture;
use super::expiry_scene::{ONE_DAY, Scene, USER};
use crate::build;
use crate::build::{activity, history, on_day, recorded, user_id};
use crate::faulty::{Fault, WriteFault};
use crate::{FaultyDatabase, HeldWrite};

/// The activity is reported at noon, and waits until the same time of this day.
const LAST_DAY: i64 = 14;

fn new(user: &str, activity: Activity) -> NewActivity {
    NewActivity { user_id: user_id(user), activity, has_breakdown: false, asks_campaigns: true }
}

async fn hold(fixture: &CampaignFixture, user: &str, activity: Activity) -> HoldOutcome {
    let held =
        hold_activity(&fixture.context(on_day(0)), new(user, activity), true, (on_day(LAST_DAY), true)).await;
    held.unwrap().without_key().unwrap()
}

/// The balance, and the points that wait.
async fn points(data: &Arc<dyn TenantData>, user: &str) -> (i64, Option<i64>) {
    let user = data.user(&user_id(user)).await.unwrap().unwrap();
    (user.balance.get(), user.pending.map(Points::get))
}

async fn release(fixture: &CampaignFixture, day: i64) -> u32 {
    let context: Context = fixture.context(on_day(day));
    release_due(&context).await.unwrap().activities
}

async fn void(fixture: &CampaignFixture, user: &str, id: &TransactionId) -> VoidOutcome {
    let context = fixture.context(on_day(1));
    let voided = void_activity(&context, (user_id(user), id.clone()), "returned".to_owned()).await;
    voided.unwrap().without_key().unwrap()
}

async fn rows(fixture: &CampaignFixture) -> Vec<LedgerEntry> {
    fixture.data.entries_after(None, 10_000).await.unwrap()
}

async fn assert_clean(fixture: &CampaignFixture) {
    assert_eq!(audit_sums(&*fixture.data).await.unwrap(), [""; 0]);
}

fn held_id(outcome: &HoldOutcome) -> TransactionId {
    let HoldOutcome::Held(held, _) = outcome else { panic!("{outcome:?}") };
    held.id.clone()
}

/// The campaign gives its bonus although the activity is older than activities may be that are reported late.
pub async fn an_activity_waits_and_is_released_once(database: Arc<dyn Database>) {
    let fixture = CampaignFixture::new(&database).await;
    fixture.start(&json!({"reward": {"points": 5}})).await;
    let given = activity("s-1", 100);
    let id = held_id(&hold(&fixture, "ann", given.clone()).await);
    assert_eq!(points(&fixture.data, "ann").await, (0, Some(100)));
    assert_eq!((release(&fixture, LAST_DAY - 1).await, rows(&fixture).await.len()), (0, 0));
    assert_clean(&fixture).await;
    let next = release_due(&fixture.context(on_day(1))).await.unwrap().next_at;
    assert_eq!(next, Some(on_day(LAST_DAY)));
    assert_eq!(release(&fixture, LAST_DAY).await, 1);
    assert_eq!(release(&fixture, LAST_DAY + 1).await, 0);
    assert_eq!(points(&fixture.data, "ann").await, (105, Some(0)));
    let row = rows(&fixture).await.remove(0);
    assert_eq!((&row.transaction.id, row.recorded_at), (&id, on_day(LAST_DAY)));
    assert_eq!(
        (row.transaction.activity.created_at, row.transaction.bonus_origin.awards()),
        (given.created_at, 1)
    );
    let explained =
        explain(&fixture.context(on_day(LAST_DAY + 1)), &user_id("ann"), &id).await.unwrap().unwrap();
    assert!(
        matches!(explained.verdicts[0].result, VerdictResult::Applied { .. }),
        "{:?}",
        explained.verdicts
    );
    let again = hold(&fixture, "ann", given).await;
    assert!(matches!(again, HoldOutcome::AlreadyRecorded(_)), "{again:?}");
    let late = void(&fixture, "ann", &id).await;
    assert_eq!(late, VoidOutcome::Released);
    assert_clean(&fixture).await;
}

/// From the start, whoever reports it.
pub async fn a_held_activity_has_its_key(database: Arc<dyn Database>) {
    let fixture = CampaignFixture::new(&database).await;
    let (given, other) = (activity("s-1", 100), activity("s-1", 99));
    held_id(&hold(&fixture, "ann", given.clone()).await);
    let again = hold(&fixture, "ann", given.clone()).await;
    assert!(matches!(again, HoldOutcome::AlreadyHeld(..)), "{again:?}");
    assert_eq!(hold(&fixture, "ann", other.clone()).await, HoldOutcome::Conflict);
    let later = (on_day(LAST_DAY + 1), true);
    let later = hold_activity(&fixture.context(on_day(0)), new("ann", given.clone()), true, later).await;
    assert_eq!(later.unwrap().without_key().unwrap(), HoldOutcome::Conflict, "another hold");
    for reported in [given.clone(), other] {
        let outcome = fixture.record("ann", reported.clone(), on_day(1)).await;
        assert_eq!(outcome, RecordActivityOutcome::Conflict);
        let imported = fixture.data.write(history([recorded("ann", reported)])).await.unwrap();
        assert_eq!(imported, [RecordOutcome::Conflict]);
    }
    // Another type, another user.
    held_id(&hold(&fixture, "ben", given).await);
    let recorded = fixture.record("ann", activity("s-2", 1), on_day(1)).await;
    assert!(matches!(recorded, RecordActivityOutcome::Recorded(_)), "{recorded:?}");
    assert_eq!(points(&fixture.data, "ann").await, (1, Some(100)));
    assert_clean(&fixture).await;
}

pub async fn a_voided_activity_is_never_released(database: Arc<dyn Database>) {
    let fixture = CampaignFixture::new(&database).await;
    let id = held_id(&hold(&fixture, "ann", activity("s-1", 100)).await);
    let other = held_id(&hold(&fixture, "ann", activity("s-2", 7)).await);
    assert_eq!(void(&fixture, "ben", &id).await, VoidOutcome::Unknown);
    let voided = void(&fixture, "ann", &id).await;
    let VoidOutcome::Voided(held, balance) = &voided else { panic!("{voided:?}") };
    assert_eq!((held.release_at, held.voided_at, balance.get()), (None, Some(on_day(1)), 0));
    assert_eq!(points(&fixture.data, "ann").await, (0, Some(7)));
    assert_eq!(void(&fixture, "ann", &id).await, VoidOutcome::AlreadyVoided(held.clone(), *balance));
    assert_eq!(release(&fixture, LAST_DAY).await, 1);
    assert_eq!(points(&fixture.data, "ann").await, (7, Some(0)));
    assert_eq!(rows(&fixture).await[0].transaction.id, other);
    let again = hold(&fixture, "ann", activity("s-1", 100)).await;
    assert!(matches!(again, HoldOutcome::AlreadyHeld(held, _) if held.release_at.is_none()));
    assert_clean(&fixture).await;
}

/// Two processes release at the same time; later each write fails once before it reached the database, and once after that.
pub async fn a_release_that_stops_goes_on(database: Arc<dyn Database>) {
    let faulty = Arc::new(FaultyDatabase::healthy(database));
    let database: Arc<dyn Database> = faulty.clone();
    let fixture = CampaignFixture::new(&database).await;
    for number in 0..3 {
        held_id(&hold(&fixture, "ann", activity(&format!("s-{number}"), 100)).await);
    }
    let HeldWrite { begun, release: go_on } = faulty.hold_next_write();
    let overtake = async {
        begun.await.unwrap();
        let released = release(&fixture, LAST_DAY).await;
        go_on.send(()).unwrap();
        released
    };
    let (slow, fast) = tokio::join!(release(&fixture, LAST_DAY), overtake);
    assert_eq!((slow + fast, points(&fixture.data, "ann").await), (3, (300, Some(0))));
    for (number, fault) in
        [WriteFault::Before(Fault::Unavailable), WriteFault::AnswerLost].into_iter().enumerate()
    {
        held_id(&hold(&fixture, "ben", activity(&format!("s-{number}"), 10)).await);
        faulty.fail_next_write(Some(fault));
        let context: Context = fixture.context(on_day(LAST_DAY));
        assert!(matches!(release_due(&context).await, Err(StoreError::Unavailable(_))), "{fault:?}");
        release(&fixture, LAST_DAY).await;
    }
    assert_eq!(points(&fixture.data, "ben").await, (20, Some(0)));
    assert_clean(&fixture).await;
}

/// A release and a void of the same activity: one of them.
pub async fn an_activity_is_released_or_voided(database: Arc<dyn Database>) {
    let fixture = CampaignFixture::new(&database).await;
    let (mut sum, mut voids) = (0, 0);
    for number in 0..20 {
        let id = held_id(&hold(&fixture, "ann", activity(&format!("s-{number}"), 10)).await);
        let (released, voided) = tokio::join!(release(&fixture, LAST_DAY), void(&fixture, "ann", &id));
        match voided {
            VoidOutcome::Voided(..) => voids += 1,
            VoidOutcome::Released => {}
            other => panic!("{other:?}"),
        }
        sum += released * 10;
    }
    assert_eq!(sum, (20 - voids) * 10);
    assert_eq!(points(&fixture.data, "ann").await, (sum.into(), Some(0)));
    assert_clean(&fixture).await;
}

pub async fn the_audit_finds_points_that_do_not_wait(database: Arc<dyn Database>) {
    let fixture = CampaignFixture::new(&database).await;
    for user in ["ann", "ben"] {
        held_id(&hold(&fixture, user, activity("s-1", 100)).await);
    }
    let rows = fixture.data.rows_after(&HELD_ACTIVITIES, None, 1).await.unwrap();
    fixture.data.remove_rows(&HELD_ACTIVITIES, &rows).await.unwrap();
    let found = audit_sums(&*fixture.data).await.unwrap();
    assert_eq!(found, ["user \"ann\": 100 points are pending but 0 wait"]);
}

/// A damaged row is said, and passed.
pub async fn a_damaged_activity_keeps_no_other_from_its_release(database: Arc<dyn Database>) {
    let fixture = CampaignFixture::new(&database).await;
    for number in 0..3 {
        held_id(&hold(&fixture, "ann", activity(&format!("s-{number}"), 10)).await);
    }
    let mut rows = fixture.data.rows_after(&HELD_ACTIVITIES, None, 1).await.unwrap();
    let place = HELD_ACTIVITIES.columns.iter().position(|column| column.name == "bonus_breakdown").unwrap();
    rows[0][place] = Cell::Text("x".into());
    fixture.data.write_rows(&HELD_ACTIVITIES, &rows).await.unwrap();
    assert_eq!(release(&fixture, LAST_DAY).await, 2);
    assert_eq!(release(&fixture, LAST_DAY).await, 0);
    assert_eq!(points(&fixture.data, "ann").await, (20, Some(10)));
    let found = audit_sums(&*fixture.data).await.unwrap();
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].contains("held_activities") && found[1].contains("10 points are pending"), "{found:?}");
}

/// Points of the member are over when the activity is voided.
pub async fn a_void_shows_no_points_that_are_over(database: Arc<dyn Database>) {
    let scene = Scene::new(add_tenant(&database, "acme").await, &ONE_DAY);
    let noon = on_day(0);
    scene.earn("s1", 100, noon).await;
    let held = build::held(recorded(USER, activity("s2", 5)), noon, on_day(LAST_DAY));
    let (terms, due_at) = (scene.terms.clone(), on_day(LAST_DAY));
    let command = HoldActivity {
        held: held.clone(),
        has_own_time: true,
        has_own_release: true,
        now: noon,
        due_at,
        terms: terms.clone(),
    };
    assert!(
        matches!(scene.data.write(command).await.unwrap(), HoldOutcome::Held(_, points) if points.get() == 100)
    );
    let (user_id, reason, at) = (user_id(USER), "returned".to_owned(), on_day(3));
    let void = VoidActivity { held: Some(held), user_id, is_recorded: false, reason, at, terms };
    let voided = scene.data.write(void).await.unwrap();
    assert!(matches!(&voided, VoidOutcome::Voided(_, points) if *points == Points::ZERO), "{voided:?}");
    assert_eq!(scene.ended().await.len(), 1);
    scene.audit().await;
}
