//! Facts of points that end.

use std::sync::Arc;

use pointbook_domain::{Activity, ActivityType, OrderRefusal};
use pointbook_points::orders::step::StepOrder;
use pointbook_store::ports::{
    Database, OrderStep, OrderStepOutcome, PlaceOrderOutcome, RecordActivityOutcome,
};

use super::add_tenant;
use super::expiry_scene::{ONE_DAY, Scene, USER, is_placed, keep_points_to_their_end, time};
use crate::build;
use crate::build::{activity, import, profile};

const MONTHS: [(&str, &str); 1] = [("points_expire", "after:1-months:month")];

async fn scene(database: &Arc<dyn Database>, settings: &[(&str, &str)]) -> Scene {
    Scene::new(add_tenant(database, "acme").await, settings)
}

pub async fn points_end_at_the_midnight_after_their_last_day(database: Arc<dyn Database>) {
    let scene = scene(&database, &ONE_DAY).await;
    scene.offer(&[60, 40]).await;
    scene.earn("s1", 100, time("2024-02-29T12:00:00Z")).await;
    assert_eq!(scene.lots().await, "2024-03-01:100");
    assert!(is_placed(&scene.order("o1", 60, time("2024-03-01T22:59:59.999999Z")).await));
    let midnight = time("2024-03-01T23:00:00Z");
    let late = scene.order("o2", 40, midnight).await;
    assert_eq!(late, PlaceOrderOutcome::Refused(OrderRefusal::TooFewPoints));
    let end = ("expiry:2024-03-01".to_owned(), -40, midnight.to_string());
    assert_eq!((scene.ended().await, scene.user().await.balance.get()), (vec![end], 0));
    let rows = scene.rows().await;
    assert_eq!((rows.len(), rows[2].transaction.activity.kind.as_str(), rows[2].seq), (3, "order", 3));
    assert_eq!(scene.end(time("2024-03-09T12:00:00Z")).await, 0);
    scene.audit().await;
}

/// The tenant declared the type `expiry`.
pub async fn points_end_in_rows_of_their_own_type(database: Arc<dyn Database>) {
    let own = [("points_expire_as", "expiry"), ("activity_types", "expiry"), MONTHS[0]];
    let scene = scene(&database, &own).await;
    scene.earn("s1", 100, time("2024-01-31T12:00:00Z")).await;
    // The end is dated at the midnight at which it was, whenever it is noticed.
    assert_eq!(scene.end(time("2024-06-01T12:00:00Z")).await, 1);
    let row = scene.rows().await.remove(1);
    let Activity { kind, source_id, created_at, .. } = row.transaction.activity;
    assert_eq!((kind.as_str(), source_id.as_str()), ("expiry", "expiry:2024-02-29"));
    assert_eq!((created_at, row.recorded_at), (time("2024-03-01T00:00:00Z"), time("2024-06-01T12:00:00Z")));
    scene.audit().await;
}

pub async fn a_spending_takes_what_ends_first_from_many_lots(database: Arc<dyn Database>) {
    let scene = scene(&database, &[("points_expire", "after:24-months:month")]).await;
    scene.offer(&[245]).await;
    let now = time("2024-02-29T12:00:00Z");
    // The oldest month is over already: points of a late activity can be spent on the day when it is recorded.
    let month = |number: i64| Activity {
        created_at: build::at(-number * 31 * build::DAY_MICROS),
        ..activity(&number.to_string(), 10)
    };
    scene.import((0..25).map(month), now).await;
    assert!(is_placed(&scene.order("o1", 245, now).await));
    let spent = scene.rows().await.pop().unwrap().moves.unwrap();
    assert_eq!((spent.iter().count(), spent.total()), (25, -245));
    assert_eq!(scene.lots().await, "2026-02-28:5");
    scene.audit().await;
}

pub async fn the_balance_is_the_first_lot_when_points_begin_to_end(database: Arc<dyn Database>) {
    let mut scene = scene(&database, &[]).await;
    let (begin, later) = (time("2024-01-15T12:00:00Z"), time("2024-01-31T12:00:00Z"));
    scene.earn("s1", 70, begin).await;
    assert_eq!((scene.lots().await.as_str(), scene.user().await.lots), ("none", None));
    scene.set(&MONTHS);
    assert_eq!(scene.end(later).await, 1);
    assert_eq!(scene.lots().await, "2024-02-29:70");
    assert_eq!(scene.end(later).await, 0);
    scene.audit().await;
    // Another policy counts for what is earned later.
    scene.set(&[("points_expire", "year-end:0")]);
    scene.earn("s2", 5, later).await;
    scene.set(&[]);
    scene.earn("s3", 3, later).await;
    assert_eq!(scene.lots().await, "2024-02-29:70,2024-12-31:5,9999-12-31:3");
    assert_eq!(scene.end(time("2030-01-01T00:00:00Z")).await, 1);
    assert_eq!(scene.lots().await, "9999-12-31:3");
    scene.audit().await;
}

pub async fn nobody_loses_a_balance_in_the_year_in_which_points_begin_to_end(database: Arc<dyn Database>) {
    let mut scene = scene(&database, &[]).await;
    let silvester = time("2024-12-31T12:00:00Z");
    scene.earn("s1", 70, silvester).await;
    scene.set(&[("points_expire", "year-end:0")]);
    scene.earn("s2", 5, silvester).await;
    assert_eq!(scene.lots().await, "2024-12-31:5,2025-12-31:70");
}

/// An order that has waited over the end of the other points is fulfilled.
pub async fn a_fulfilled_order_tells_the_points_that_are_left(database: Arc<dyn Database>) {
    let scene = scene(&database, &MONTHS).await;
    scene.offer(&[20]).await;
    let earned = time("2024-01-15T12:00:00Z");
    scene.earn("s1", 60, earned).await;
    scene.order("o1", 20, earned).await;
    let step = StepOrder::new(
        build::order_id("o1"),
        OrderStep::Fulfil,
        time("2024-03-01T00:00:00Z"),
        scene.terms.clone(),
    );
    let OrderStepOutcome::Done(written) = scene.data.write(step).await.unwrap() else {
        panic!("not fulfilled")
    };
    assert_eq!((written.user_points.get(), scene.ended().await.len()), (0, 1));
    scene.audit().await;
}

/// A debt, nothing, and a member who is not in the ledger.
pub async fn who_has_no_points_begins_without_a_lot(database: Arc<dyn Database>) {
    let mut scene = scene(&database, &[]).await;
    let now = time("2024-01-15T12:00:00Z");
    scene.data.write(import([profile(USER)])).await.unwrap();
    scene.set(&MONTHS);
    assert_eq!((scene.end(now).await, scene.lots().await.as_str()), (1, ""));
    scene.import([activity("s1", -30)], now).await;
    assert_eq!(scene.lots().await, "0001-01-01:-30");
    scene.earn("s2", 50, now).await;
    assert_eq!(scene.lots().await, "2024-02-29:20");
    let paid = scene.rows().await.pop().unwrap().moves.unwrap();
    assert_eq!(paid.to_string(), "0001-01-01:30,2024-02-29:20");
    scene.audit().await;
}

pub async fn a_debt_stays_one_when_points_begin_to_end(database: Arc<dyn Database>) {
    let mut scene = scene(&database, &[]).await;
    let now = time("2024-01-15T12:00:00Z");
    scene.import([activity("s1", -30)], now).await;
    scene.set(&MONTHS);
    scene.earn("s2", 10, now).await;
    assert_eq!(scene.lots().await, "0001-01-01:-20");
    scene.audit().await;
}

pub async fn a_cancelled_order_goes_back_to_its_lots(database: Arc<dyn Database>) {
    let mut scene = scene(&database, &[MONTHS[0], ("refund_grace_days", "30")]).await;
    scene.offer(&[20, 30, 10]).await;
    let (earned, before, after) =
        (time("2024-01-15T12:00:00Z"), time("2024-02-29T23:59:59Z"), time("2024-03-01T00:00:00Z"));
    scene.earn("s1", 60, earned).await;
    for (id, points) in [("o1", 20), ("o2", 30), ("o3", 10)] {
        assert!(is_placed(&scene.order(id, points, earned).await));
    }
    assert!(matches!(scene.cancel("o1", before).await, OrderStepOutcome::Done(_)));
    assert_eq!(scene.lots().await, "2024-02-29:20");
    scene.cancel("o2", after).await;
    assert_eq!(scene.lots().await, "2024-03-31:30");
    scene.set(&[MONTHS[0], ("refund_grace_days", "0")]);
    let OrderStepOutcome::Done(written) = scene.cancel("o3", after).await else { panic!("not cancelled") };
    assert_eq!((written.user_points.get(), scene.lots().await.as_str()), (30, "2024-03-31:30"));
    let ended = scene.ended().await;
    assert_eq!(ended[0], ("expiry:2024-02-29".to_owned(), -20, after.to_string()));
    let refund = scene.rows().await.into_iter().rev().nth(1).unwrap().transaction;
    assert_eq!(refund.activity.source_id.as_str(), "o3:refund");
    assert_eq!(ended[1], (format!("expiry:{}", refund.id), -10, after.to_string()));
    scene.audit().await;
}

pub async fn a_reversal_takes_from_the_lot_of_its_row(database: Arc<dyn Database>) {
    let scene = scene(&database, &MONTHS).await;
    let (january, march) = (time("2024-01-15T12:00:00Z"), time("2024-02-15T12:00:00Z"));
    scene.earn("s1", 50, january).await;
    scene.earn("s2", 30, march).await;
    scene.reverse("s2", false, march).await;
    assert_eq!(scene.lots().await, "2024-02-29:50");
    // What ended comes back with days of grace.
    let late = time("2024-03-05T12:00:00Z");
    scene.end(late).await;
    scene.reverse("expiry:2024-02-29", false, late).await;
    assert_eq!(scene.lots().await, "2024-04-04:50");
    scene.audit().await;
}

pub async fn an_activity_keeps_all_points_alive(database: Arc<dyn Database>) {
    let settings = [("points_expire", "inactivity:1-months"), ("points_active_types", "code")];
    let scene = scene(&database, &settings).await;
    scene.offer(&[10]).await;
    scene.earn("s1", 50, time("2024-01-31T12:00:00Z")).await;
    assert_eq!(scene.lots().await, "2024-02-29:50");
    scene.earn("s2", 5, time("2024-02-10T12:00:00Z")).await;
    assert_eq!(scene.lots().await, "2024-03-10:55");
    // Neither another type, nor an order, nor its refund counts.
    let video = Activity {
        kind: ActivityType::new("video").unwrap(),
        created_at: time("2024-02-20T12:00:00Z"),
        ..activity("v1", 1)
    };
    scene.give(video, time("2024-02-20T12:00:00Z")).await;
    scene.order("o1", 10, time("2024-02-21T12:00:00Z")).await;
    assert_eq!(scene.lots().await, "2024-03-10:46");
    scene.cancel("o1", time("2024-02-22T12:00:00Z")).await;
    assert_eq!(scene.lots().await, "2024-03-10:56");
    // What a back office imports of refunds and ends does not count either, and a late activity comes to the others.
    let refund = Activity { kind: ActivityType::order(), ..activity("old:refund", 3) };
    let reversal = activity("old:reversal", -3);
    let late = Activity { created_at: time("2024-01-31T12:00:00Z"), ..activity("s3", 4) };
    scene.import([refund, reversal, late], time("2024-03-01T12:00:00Z")).await;
    assert_eq!(scene.lots().await, "2024-03-10:60");
    assert_eq!(scene.end(time("2024-03-11T00:00:00Z")).await, 1);
    assert_eq!(scene.user().await.balance.get(), 0);
    scene.audit().await;
}

/// A repeat, and a refusal.
pub async fn a_write_that_adds_nothing_ends_points_too(database: Arc<dyn Database>) {
    let scene = scene(&database, &MONTHS).await;
    let (earned, late) = (time("2024-01-15T12:00:00Z"), time("2024-03-05T12:00:00Z"));
    scene.earn("s1", 50, earned).await;
    let again = Activity { created_at: earned, ..activity("s1", 50) };
    let RecordActivityOutcome::AlreadyRecorded(recorded) = scene.give(again, late).await else {
        panic!("recorded twice")
    };
    assert_eq!((recorded.user_points.get(), scene.ended().await.len()), (0, 1));
    scene.earn("s2", 50, late).await;
    let taken = Activity { created_at: late, ..activity("s3", -60) };
    assert_eq!(scene.give(taken, time("2024-05-01T00:00:00Z")).await, RecordActivityOutcome::TooFewPoints);
    assert_eq!((scene.user().await.balance.get(), scene.ended().await.len()), (0, 2));
    scene.audit().await;
}

/// It may have imported what ended in an older system.
pub async fn a_back_office_may_have_a_row_with_the_name_of_an_end(database: Arc<dyn Database>) {
    let scene = scene(&database, &MONTHS).await;
    let earned = time("2024-01-15T12:00:00Z");
    scene.earn("s1", 50, earned).await;
    let own =
        Activity { kind: ActivityType::order(), created_at: earned, ..activity("expiry:2024-02-29", -20) };
    scene.import([own], earned).await;
    assert_eq!(scene.end(time("2024-03-01T00:00:00Z")).await, 1);
    let ended = scene.ended().await;
    assert!(ended[0].0.starts_with("expiry:2024-02-29:") && ended[0].0.len() == 50, "{ended:?}");
    assert_eq!((ended.len(), ended[0].1), (1, -30));
    scene.audit().await;
}

/// As [`keep_points_to_their_end`], in one instance.
pub async fn of_an_order_and_the_end_one_gets_the_points(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    keep_points_to_their_end([data.clone(), data]).await;
}
