//! Facts of recording activities, beside those of the ledger model and the history model.

use std::sync::Arc;

use pointbook_domain::Activity;
use pointbook_domain::points::MAX_POINTS;
use pointbook_points::earning::record_activities::RecordHistory;
use pointbook_points::members::put::ImportUsers;
use pointbook_store::ports::RecordOutcome::{AlreadyRecorded, Conflict, OutOfRange, Recorded};
use pointbook_store::ports::{Database, NewTransaction, RecordOutcome, TenantData};

use super::{add_tenant, record_all, whole_history};
use crate::build;
use crate::build::{activity, recorded};

async fn record(data: &Arc<dyn TenantData>, transactions: &[NewTransaction]) -> Vec<RecordOutcome> {
    data.write(RecordHistory::new(transactions.to_vec(), build::on_day(100))).await.unwrap()
}

/// The same transaction as in a second import, with another id.
fn again(new: &NewTransaction) -> NewTransaction {
    build::again(new, &format!("{} again", new.transaction.id))
}

/// This holds at both bounds. The transactions before and after it are recorded.
pub async fn a_balance_beyond_the_bounds_is_refused_alone(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    for (user, sign) in [("up", 1), ("down", -1)] {
        let step = |source, amount: i64| recorded(user, activity(source, sign * amount));
        let batch = [step("s1", MAX_POINTS), step("s2", 1), step("s3", -4), step("s4", 5), step("s5", 4)];
        assert_eq!(record(&data, &batch).await, [Recorded, OutOfRange, Recorded, OutOfRange, Recorded]);
        let history = whole_history(&data, user).await;
        assert_eq!((history.user_points.get(), history.rows.len()), (sign * MAX_POINTS, 3));
    }
}

/// Base and bonus points count together.
pub async fn an_amount_beyond_the_bounds_is_refused(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    record_all(&data, &[recorded("u1", activity("s1", -10))]).await;
    let too_much = Activity { bonuses: build::bonuses(&[1]), ..activity("s2", MAX_POINTS) };
    assert_eq!(record(&data, &[recorded("u1", too_much)]).await, [OutOfRange]);
    let history = whole_history(&data, "u1").await;
    assert_eq!((history.user_points.get(), history.day_count), (-10, 1));
}

/// A repetition adds nothing, so it cannot exceed the bounds.
pub async fn repeated_activity_is_recognized_at_the_bounds(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let most = recorded("u1", activity("s1", MAX_POINTS));
    record_all(&data, std::slice::from_ref(&most)).await;
    let other = recorded("u1", activity("s1", MAX_POINTS - 1));
    assert_eq!(record(&data, &[again(&most), again(&other)]).await, [AlreadyRecorded, Conflict]);
}

/// The creation time is the time of recording. A known user keeps the earlier one.
pub async fn an_unknown_user_is_created_when_recorded(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    data.write(ImportUsers { profiles: vec![build::profile("known")], now: build::on_day(1) }).await.unwrap();
    record(&data, &[recorded("known", activity("s1", 1)), recorded("new", activity("s1", 1))]).await;
    let users = data.users_after(None, 10).await.unwrap();
    let created: Vec<_> = users.iter().map(|user| (user.id.as_str(), user.created_at)).collect();
    assert_eq!(created, [("known", build::on_day(1)), ("new", build::on_day(100))]);
}
