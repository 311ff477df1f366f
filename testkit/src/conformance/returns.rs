//! Facts of returns: reversals of parts of a transaction.

use std::sync::Arc;

use pointbook_domain::{Activity, Points, TransactionId};
use pointbook_points::earning::reverse_transaction::{ReversalOutcome, ReverseTransaction, reversals_of};
use pointbook_store::ports::{Database, RecordedActivity, TenantData};
use serde_json::json;

use super::add_tenant;
use super::campaign_helpers::{active, earn, earning, spent};
use super::campaign_races::{keep_returns_within_their_row, return_part_of, reverse, reverse_as};
use crate::build::{activity, bonuses, points, user_id};

async fn return_part(
    data: &Arc<dyn TenantData>,
    recorded: &RecordedActivity,
    part: i64,
    id: &str,
) -> ReversalOutcome {
    return_part_of(data, "u1", recorded, part, id).await
}

/// The source id, the points and the balance of what was reversed.
fn reversed(outcome: ReversalOutcome) -> (String, i64, i64) {
    let ReversalOutcome::Reversed(row) = outcome else { panic!("{outcome:?}") };
    let Activity { source_id, points, bonuses, .. } = &row.transaction.activity;
    assert_eq!(bonuses.total(), Points::ZERO);
    let source = source_id.as_str().replace(row_id(source_id.as_str()), "ID");
    (source, points.get(), row.user_points.get())
}

fn row_id(source: &str) -> &str {
    source.split(':').next().unwrap()
}

/// 100 base points with a bonus of 10: each third has a share of the bonus, and together they are all of it.
pub async fn returns_have_their_share_of_the_bonus(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let limits = json!({"budget": {"awards": 5, "points": 90}});
    let rules = earning("a", [active(&json!({"limits": limits}))]);
    let row = earn(&data, &rules, "u1", activity("s1", 100)).await;
    assert_eq!((row.user_points.get(), spent(&data).await), (110, (1, 10)));
    let parts =
        [("ID:reversal:33", 33, -36, 74), ("ID:reversal:66", 33, -37, 37), ("ID:reversal:67", 1, -1, 36)];
    for (number, (source, part, taken, balance)) in parts.into_iter().enumerate() {
        let outcome = return_part(&data, &row, part, &format!("r{number}")).await;
        assert_eq!(reversed(outcome), (source.to_owned(), taken, balance));
    }
    assert_eq!(spent(&data).await, (1, 3), "the award is given back with its last point");
    assert_eq!(return_part(&data, &row, 34, "r3").await, ReversalOutcome::TooMuch { left: 33 });
    // What is left.
    assert_eq!(reversed(reverse(&data, "u1", &row, false).await), ("ID:reversal".to_owned(), -36, 0));
    assert_eq!(spent(&data).await, (0, 0));
    let again = reverse(&data, "u1", &row, false).await;
    assert!(matches!(again, ReversalOutcome::AlreadyReversed(_)), "{again:?}");
    assert_eq!(return_part(&data, &row, 1, "r4").await, ReversalOutcome::TooMuch { left: 0 });
    let entry = data.entry(&user_id("u1"), &row.transaction.id).await.unwrap().unwrap();
    let reversals = reversals_of(&*data, &entry).await.unwrap();
    assert_eq!((reversals.rows.len(), reversals.is_whole), (4, true));
}

/// A deduction is given back in parts, a row with only bonuses whole; and a row that was returned in parts has nothing left.
pub async fn a_row_is_returned_up_to_the_whole(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let rules = earning("a", []);
    let fine = Activity { bonuses: bonuses(&[4]), ..activity("fine", -50) };
    earn(&data, &rules, "u1", activity("s1", 100)).await;
    let fine = earn(&data, &rules, "u1", fine).await;
    assert_eq!(fine.user_points.get(), 54);
    assert_eq!(reversed(return_part(&data, &fine, 25, "r1").await), ("ID:reversal:25".to_owned(), 23, 77));
    assert_eq!(reversed(return_part(&data, &fine, 25, "r2").await), ("ID:reversal:50".to_owned(), 23, 100));
    assert_eq!(reverse(&data, "u1", &fine, false).await, ReversalOutcome::TooMuch { left: 0 });
    let gift = Activity { bonuses: bonuses(&[9]), ..activity("gift", 0) };
    let gift = earn(&data, &rules, "u1", gift).await;
    assert_eq!(return_part(&data, &gift, 1, "r3").await, ReversalOutcome::TooMuch { left: 0 });
    assert_eq!(reversed(reverse(&data, "u1", &gift, false).await), ("ID:reversal".to_owned(), -9, 100));
    // A reversal of a deduction is no activity that earned points.
    let entry = data.entry(&user_id("u1"), &fine.transaction.id).await.unwrap().unwrap();
    assert!(reversals_of(&*data, &entry).await.unwrap().is_whole);
}

/// The user has spent the points: the setting decides.
pub async fn a_return_overdraws_only_where_it_may(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let rules = earning("a", []);
    let row = earn(&data, &rules, "u1", activity("s1", 100)).await;
    earn(&data, &rules, "u1", activity("spent", -90)).await;
    let refused = return_part(&data, &row, 40, "r1").await;
    assert_eq!(refused, ReversalOutcome::TooFewPoints { shortfall: 30, leaves_some: true });
    let part = |is_partial, id: &'static str| {
        move |reversal| ReverseTransaction {
            part: Some(points(40)),
            may_overdraw: true,
            is_partial,
            id: TransactionId::new(id).unwrap(),
            ..reversal
        }
    };
    let partly = reverse_as(&data, "u1", &row, part(true, "r2")).await;
    assert_eq!(reversed(partly), ("ID:reversal:40".to_owned(), -10, 0));
    let owing = reverse_as(&data, "u1", &row, part(false, "r3")).await;
    assert_eq!(reversed(owing), ("ID:reversal:80".to_owned(), -40, -40));
    let paid = earn(&data, &rules, "u1", activity("s2", 50)).await;
    assert_eq!(paid.user_points.get(), 10);
}

/// As [`keep_returns_within_their_row`], in one instance.
pub async fn returns_at_the_same_time_are_never_more_than_the_row(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    keep_returns_within_their_row([data.clone(), data]).await;
}

/// What a back office recorded under such a source id is no return. It only takes the key.
pub async fn an_activity_with_the_source_id_of_a_return_is_none(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let rules = earning("a", []);
    let row = earn(&data, &rules, "u1", activity("s1", 100)).await;
    let planted = format!("{}:reversal:60", row.transaction.id);
    earn(&data, &rules, "u1", activity(&planted, 1)).await;
    assert_eq!(return_part(&data, &row, 60, "r1").await, ReversalOutcome::Conflict);
    assert_eq!(reversed(return_part(&data, &row, 30, "r2").await), ("ID:reversal:30".to_owned(), -30, 71));
    assert_eq!(reversed(reverse(&data, "u1", &row, false).await), ("ID:reversal".to_owned(), -70, 1));
}
