//! Facts of recording activities.

use std::sync::Arc;

use pointbook_app::ImportUsers;
use pointbook_app::ports::RecordOutcome::{AlreadyRecorded, Conflict, OutOfRange, Recorded};
use pointbook_app::ports::{Database, NewTransaction, RecordOutcome, TenantData};
use pointbook_domain::points::MAX_POINTS;
use pointbook_domain::{Activity, ActivityType};
use pointbook_earning::RecordHistory;

use super::chain::all_entries;
use super::{add_tenant, record_all, whole_history};
use crate::build::{self, activity, recorded};

async fn record(data: &Arc<dyn TenantData>, transactions: &[NewTransaction]) -> Vec<RecordOutcome> {
    data.write(RecordHistory::new(transactions.to_vec(), build::on_day(100))).await.unwrap()
}

/// The same transaction as in a second import, with another id.
fn again(new: &NewTransaction) -> NewTransaction {
    build::again(new, &format!("{} again", new.transaction.id))
}

/// A store may process them in another order.
pub async fn outcomes_come_in_the_order_given(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let known = [recorded("b", activity("1", 1)), recorded("a", activity("2", 1))];
    record_all(&data, &known).await;
    let batch = [
        recorded("b", activity("new", 5)),
        recorded("a", activity("2", 9)),
        again(&known[0]),
        recorded("c", activity("x", MAX_POINTS)),
        again(&known[1]),
        recorded("c", activity("y", 1)),
        recorded("a", activity("new", 5)),
    ];
    let expected = [Recorded, Conflict, AlreadyRecorded, Recorded, AlreadyRecorded, OutOfRange, Recorded];
    assert_eq!(record(&data, &batch).await, expected);
}

/// Therefore an interrupted import can be repeated.
pub async fn the_same_activity_is_recorded_once(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let first = recorded("u1", Activity { bonuses: build::bonuses(&[3]), ..activity("s1", 10) });
    record_all(&data, std::slice::from_ref(&first)).await;
    let before = whole_history(&data, "u1").await;
    assert_eq!(record(&data, &[again(&first)]).await, [AlreadyRecorded]);
    assert_eq!(whole_history(&data, "u1").await, before);
    assert_eq!(before.rows, build::history_rows([&first.transaction]));
    assert_eq!(all_entries(&data).await[0].transaction, first.transaction);
}

/// The first one is kept.
pub async fn the_same_activity_twice_in_one_batch_is_recorded_once(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let first = recorded("u1", activity("s1", 10));
    let other = recorded("u1", activity("s1", 11));
    assert_eq!(
        record(&data, &[first.clone(), again(&first), again(&other)]).await,
        [Recorded, AlreadyRecorded, Conflict]
    );
    assert_eq!(whole_history(&data, "u1").await.user_points.get(), 10);
    let entries = all_entries(&data).await;
    assert_eq!(entries.into_iter().map(|entry| entry.transaction).collect::<Vec<_>>(), [first.transaction]);
}

/// A difference in any field conflicts, and nothing is recorded.
pub async fn other_content_under_the_same_key_is_a_conflict(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let same = || Activity { bonuses: build::bonuses(&[3, 4]), ..activity("s1", 10) };
    record_all(&data, &[recorded("u1", same())]).await;
    let before = whole_history(&data, "u1").await;
    for other in [
        Activity { points: build::points(11), ..same() },
        Activity { bonuses: build::bonuses(&[7]), ..same() },
        Activity { bonuses: build::bonuses(&[4, 3]), ..same() },
        Activity { title: "Other".into(), ..same() },
        Activity { subtitle: "Other".into(), ..same() },
        Activity { created_at: build::at(1), ..same() },
        Activity { created_at: build::on_day(1), ..same() },
    ] {
        assert_eq!(record(&data, &[again(&recorded("u1", other.clone()))]).await, [Conflict], "{other:?}");
        assert_eq!(whole_history(&data, "u1").await, before);
    }
}

/// Two users may scan the same code, and an order may have the source id of a quiz.
pub async fn another_user_type_or_source_is_another_key(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let quiz = Activity { kind: ActivityType::new("quiz").unwrap(), ..activity("s1", 1) };
    let (source, case) = (activity("s2", 1), activity("S1", 1));
    record_all(&data, &[recorded("u1", activity("s1", 1)), recorded("u2", activity("s1", 1))]).await;
    record_all(&data, &[recorded("u1", quiz), recorded("u1", source), recorded("u1", case)]).await;
    assert_eq!(whole_history(&data, "u1").await.user_points.get(), 4);
    assert_eq!(whole_history(&data, "u2").await.user_points.get(), 1);
}

/// An import records history without checking the balance.
pub async fn a_balance_may_be_negative(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    record_all(&data, &[recorded("u1", activity("s1", 5)), recorded("u1", activity("s2", -8))]).await;
    assert_eq!(whole_history(&data, "u1").await.user_points.get(), -3);
    record_all(&data, &[recorded("u2", activity("s1", -MAX_POINTS))]).await;
    assert_eq!(whole_history(&data, "u2").await.user_points.get(), -MAX_POINTS);
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

/// The last batch of a file may be empty.
pub async fn recording_nothing_is_not_an_error(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    assert_eq!(record(&data, &[]).await, []);
}
