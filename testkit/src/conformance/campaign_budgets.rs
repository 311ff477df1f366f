//! Facts of the budgets of campaigns, which several processes spend. The stores have tests in which two instances spend them at
//! the same time.

use std::sync::Arc;

use pointbook_points::earning::reverse_transaction::ReversalOutcome;
use pointbook_store::ports::Database;
use serde_json::json;

use super::campaign_helpers::{active, awards, bonus, earn, earning, shares, spent};
use super::campaign_races::{assert_reversed, assert_told_once, reverse, told_of_budgets, with_budget};
use super::{add_tenant, campaign_races};
use crate::build;
use crate::build::activity;

/// A budget is low when a tenth of it is left. A reversal does not make it low again.
pub async fn a_low_and_a_spent_budget_are_told_once(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let rules = earning("a", [with_budget(&json!({"awards": 20, "points": 10_000}))]);
    let low = "campaign.budget_low  spring";
    let mut last = None;
    for number in 1..=20 {
        last = Some(earn(&data, &rules, "u1", activity(&format!("s{number}"), 100)).await);
        let expected = match number {
            ..=17 => vec![],
            18..=19 => vec![low],
            _ => vec![low, "campaign.budget_spent  spring"],
        };
        assert_eq!(told_of_budgets(&data).await, expected, "{number}");
    }
    assert_reversed(&reverse(&data, "u1", &last.unwrap(), false).await);
    assert_eq!(bonus(&data, &rules, "u1", activity("s21", 100)).await, 10);
    assert_told_once(&data).await;
}

/// A budget that is spent at once tells that it is spent.
pub async fn a_budget_that_is_spent_at_once_was_never_low(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let rules = earning("a", [with_budget(&json!({"points": 4}))]);
    assert_eq!(bonus(&data, &rules, "u1", activity("s1", 100)).await, 4);
    assert_eq!(bonus(&data, &rules, "u1", activity("s2", 100)).await, 0);
    assert_eq!(told_of_budgets(&data).await, ["campaign.budget_spent  spring"]);
}

/// The user has used the limit, but another user gets the award. A second reversal gives nothing.
pub async fn a_reversal_gives_the_budget_back(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let limits = json!({"budget": {"awards": 1}, "per_user": [{"period": "ever", "awards": 1}]});
    let rules = earning("a", [active(&json!({"limits": limits}))]);
    let first = earn(&data, &rules, "u1", activity("s1", 100)).await;
    assert_eq!(first.user_points.get(), 110);
    assert_eq!(bonus(&data, &rules, "u2", activity("s1", 100)).await, 0, "the budget is spent");
    for _ in 0..2 {
        let again = reverse(&data, "u1", &first, false).await;
        let (ReversalOutcome::Reversed(row) | ReversalOutcome::AlreadyReversed(row)) = again else {
            panic!("{again:?}")
        };
        assert_eq!((row.transaction.activity.points.get(), row.user_points.get()), (-110, 0));
    }
    assert_eq!(spent(&data).await, (0, 0));
    assert_eq!(bonus(&data, &rules, "u1", activity("s2", 100)).await, 0, "the user has had one");
    assert_eq!(bonus(&data, &rules, "u2", activity("s2", 100)).await, 10);
    assert_eq!(bonus(&data, &rules, "u3", activity("s1", 100)).await, 0);
    assert_eq!((spent(&data).await, awards(&data).await.len()), ((1, 10), 2));
}

/// A part of the points is a part of the bonus too, but the reversal does not say which.
pub async fn a_partial_reversal_gives_nothing_back(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let rules = earning("a", [with_budget(&json!({"awards": 1}))]);
    let first = earn(&data, &rules, "u1", activity("s1", 100)).await;
    earn(&data, &rules, "u1", activity("s2", -60)).await;
    let before = shares(&data).await;
    let refused = reverse(&data, "u1", &first, false).await;
    assert_eq!(refused, ReversalOutcome::TooFewPoints { shortfall: 60, leaves_some: true });
    assert_reversed(&reverse(&data, "u1", &first, true).await);
    assert_eq!(shares(&data).await, before);
    assert_eq!(bonus(&data, &rules, "u2", activity("s1", 100)).await, 0);
    let (whole, full) = (earning("a", [with_budget(&json!({"awards": 2}))]), activity("s2", 100));
    let second = earn(&data, &whole, "u2", full).await;
    assert_reversed(&reverse(&data, "u2", &second, true).await);
    assert_eq!(spent(&data).await, (1, 10), "the balance was large enough for the whole");
}

/// Activities and reversals at the same time.
pub async fn a_budget_is_exact_while_reversals_give_back(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    campaign_races::keep_a_budget_while_reversing([data, database.tenant(&build::tenant("acme").id)]).await;
}
