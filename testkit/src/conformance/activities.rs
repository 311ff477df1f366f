//! Facts of recording one activity for a back office, beside those of the ledger model.

use std::sync::Arc;

use futures_util::future::join_all;
use pointbook_domain::points::MAX_POINTS;
use pointbook_domain::{Activity, ActivityType};
use pointbook_points::earning::record_activity::RecordActivity;
use pointbook_store::ports::RecordActivityOutcome::{
    AlreadyRecorded, Conflict, OutOfRange, Recorded, TooFewPoints,
};
use pointbook_store::ports::{
    ActivityToRecord, Database, RecordActivityOutcome, RecordedActivity, TenantData,
};

use super::chain::all_entries;
use super::state::tenant_state;
use super::{add_tenant, whole_history};
use crate::build;
use crate::build::{activity, to_record};

async fn record(data: &Arc<dyn TenantData>, activity: &ActivityToRecord) -> RecordActivityOutcome {
    data.write(RecordActivity::without_end(activity.clone(), build::on_day(9))).await.unwrap()
}

/// The same activity as in a retry, with another transaction id.
fn again(activity: &ActivityToRecord, id: &str) -> ActivityToRecord {
    ActivityToRecord { new: build::again(&activity.new, id), ..activity.clone() }
}

fn row(activity: &ActivityToRecord, seq: u64, balance: i64) -> RecordedActivity {
    let transaction = activity.new.transaction.clone();
    RecordedActivity { transaction: transaction.into(), seq, user_points: build::points(balance) }
}

/// Panics unless the activity is refused for this reason and nothing changes.
async fn assert_refused(data: &Arc<dyn TenantData>, new: &ActivityToRecord, reason: RecordActivityOutcome) {
    let before = tenant_state(data).await;
    assert_eq!(record(data, new).await, reason, "{new:?}");
    assert_eq!(tenant_state(data).await, before);
}

/// A difference in any field conflicts.
pub async fn an_activity_with_other_content_conflicts(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let first = Activity { bonuses: build::bonuses(&[3, 4]), ..activity("s1", 7) };
    record(&data, &to_record("u1", first.clone())).await;
    let first = || first.clone();
    for other in [
        Activity { points: build::points(8), ..first() },
        Activity { bonuses: build::bonuses(&[4, 3]), ..first() },
        Activity { bonuses: build::bonuses(&[7]), ..first() },
        Activity { title: "Other".into(), ..first() },
        Activity { subtitle: "Other".into(), ..first() },
        Activity { created_at: build::at(1), ..first() },
    ] {
        assert_refused(&data, &again(&to_record("u1", other), "other"), Conflict).await;
    }
}

/// Another user, type or source is another activity.
pub async fn the_business_key_is_user_type_and_source(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let quiz = Activity { kind: ActivityType::new("quiz").unwrap(), ..activity("s1", 1) };
    let given =
        [("u1", activity("s1", 1)), ("u1", activity("S1", 1)), ("u1", quiz), ("U1", activity("s1", 1))];
    for (place, (user, activity)) in given.into_iter().enumerate() {
        let new = again(&to_record(user, activity), &place.to_string());
        assert!(matches!(record(&data, &new).await, Recorded(_)), "{new:?}");
    }
    assert_eq!(whole_history(&data, "u1").await.user_points.get(), 3);
}

/// Neither the amount nor the balance may exceed the bounds.
pub async fn an_activity_beyond_the_bounds_is_refused(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    record(&data, &to_record("u1", activity("s1", 1))).await;
    assert_refused(&data, &to_record("u1", activity("s2", MAX_POINTS)), OutOfRange).await;
    let too_much = Activity { bonuses: build::bonuses(&[1]), ..activity("s2", MAX_POINTS) };
    assert_refused(&data, &to_record("u2", too_much), OutOfRange).await;
    let most = to_record("u1", activity("s2", MAX_POINTS - 1));
    assert_eq!(record(&data, &most).await, Recorded(row(&most, 2, MAX_POINTS)));
}

/// The user is created at the time of recording, by a first activity with any amount that is not negative.
pub async fn only_a_recorded_activity_creates_its_user(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    assert_refused(&data, &to_record("u1", activity("s1", -1)), TooFewPoints).await;
    assert_eq!(data.user(&build::user_id("u1")).await.unwrap(), None);
    assert!(matches!(record(&data, &to_record("u1", activity("s1", 0))).await, Recorded(_)));
    let user = data.user(&build::user_id("u1")).await.unwrap().unwrap();
    assert_eq!((user.created_at, user.balance.get(), user.disabled_at), (build::on_day(9), 0, None));
}

/// Every other copy returns the recorded activity.
pub async fn one_of_many_copies_is_recorded(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let copies = (0..100).map(|copy| {
        let data = data.clone();
        let new = again(&to_record("u1", activity("s1", 5)), &copy.to_string());
        tokio::spawn(async move { record(&data, &new).await })
    });
    let mut first = None;
    let mut repeats = Vec::new();
    for outcome in join_all(copies).await.into_iter().map(Result::unwrap) {
        match outcome {
            Recorded(row) => assert_eq!(first.replace(row), None, "recorded twice"),
            AlreadyRecorded(row) => repeats.push(row),
            Conflict | TooFewPoints | OutOfRange => panic!("{outcome:?}"),
        }
    }
    let first = first.unwrap();
    assert!(repeats.len() == 99 && repeats.iter().all(|row| *row == first));
    assert_eq!(all_entries(&data).await.len(), 1);
    assert_eq!(whole_history(&data, "u1").await.user_points.get(), 5);
}
