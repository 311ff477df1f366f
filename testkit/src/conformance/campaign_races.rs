//! Many users at the same time earn awards, on two handles of a tenant, which may belong to two instances.

use std::sync::Arc;

use futures_util::future::join_all;
use pointbook_campaigns::CampaignVersion;
use pointbook_domain::{Activity, ActivityType, TransactionId, UserId};
use pointbook_points::audit::ledger::audit_ledger;
use pointbook_points::earning::bonuses::Earning;
use pointbook_points::earning::reverse_transaction::{ReversalOutcome, ReverseTransaction, WantedReversal};
use pointbook_store::ports::{RecordedActivity, TenantData};
use serde_json::{Value, json};

use super::campaign_helpers::{active, awards, bonus, earn, earning, holders, shares, spent};
use super::feed::told;
use crate::build;
use crate::build::{activity, noon, points, user_id};

/// Many writers of one user at the same time, with limits of awards and of points. The handles may belong to two instances.
pub async fn keep_the_limits_of_a_user(handles: [Arc<dyn TenantData>; 2]) {
    let awards_of = |id, limit: Value| active(&json!({"id": id, "limits": {"per_user": [limit]}}));
    let versions = [
        awards_of("thrice", json!({"period": "ever", "awards": 3})),
        awards_of("few", json!({"period": "day", "points": 45})),
    ];
    let writers = (0..200).map(|writer| {
        let data = handles[writer % 2].clone();
        let earning = earning(["a", "b"][writer % 2], versions.clone());
        tokio::spawn(async move { earn(&data, &earning, "u1", activity(&format!("s{writer}"), 100)).await })
    });
    let recorded: Vec<_> = join_all(writers).await.into_iter().map(Result::unwrap).collect();
    let bonuses: i64 = recorded.iter().map(|row| row.transaction.activity.bonuses.total().get()).sum();
    let [data, _] = &handles;
    let awards = awards(data).await;
    let of = |id: &str| -> Vec<i64> {
        awards.iter().filter(|award| award.campaign_id == id).map(|award| award.points.get()).collect()
    };
    assert_eq!(of("thrice"), [10; 3]);
    let few = of("few");
    assert_eq!((few.len(), few.iter().sum::<i64>(), bonuses), (5, 45, 75));
    assert_eq!(audit_ledger(&**data, |_| {}).await.unwrap().differences, 0);
}

/// Many users at the same time earn the awards of a budget. The handles may belong to two instances.
pub async fn keep_a_budget_of_awards(handles: [Arc<dyn TenantData>; 2]) {
    let version = with_budget(&json!({"awards": 1_000}));
    let bonuses = earn_at_once(&handles, &holders(&version), 200, 10).await;
    let [data, _] = &handles;
    assert_eq!((bonuses, spent(data).await), (10_000, (1_000, 10_000)));
    assert_told_once(data).await;
    assert_eq!(audit_ledger(&**data, |_| {}).await.unwrap().differences, 0);
}

/// Many users at the same time earn the points of a budget. The handles may belong to two instances.
pub async fn keep_a_budget_of_points(handles: [Arc<dyn TenantData>; 2]) {
    let version = with_budget(&json!({"points": 1_005}));
    let bonuses = earn_at_once(&handles, &holders(&version), 60, 3).await;
    let [data, _] = &handles;
    assert_eq!((bonuses, spent(data).await), (1_005, (101, 1_005)));
    assert_told_once(data).await;
    let mut points: Vec<_> = awards(data).await.iter().map(|award| award.points.get()).collect();
    points.sort_unstable();
    assert_eq!((points[0], points[1]), (5, 10));
}

/// Many users at the same time earn awards and give them back. The handles may belong to two instances.
pub async fn keep_a_budget_while_reversing(handles: [Arc<dyn TenantData>; 2]) {
    let holders = holders(&with_budget(&json!({"awards": 7, "points": 65})));
    let writers = (0..30).map(|user: usize| {
        let (data, earning) = (handles[user % 2].clone(), holders[user % 2].clone());
        let user = format!("u{user}");
        tokio::spawn(async move {
            for round in 0..6 {
                let new = activity(&format!("s{round}"), 100);
                let recorded = earn(&data, &earning, &user, new).await;
                if round % 3 < 2 {
                    assert_reversed(&reverse(&data, &user, &recorded, false).await);
                }
            }
        })
    });
    join_all(writers).await.into_iter().for_each(Result::unwrap);
    let [data, _] = &handles;
    let (awards, points) = spent(data).await;
    assert!(awards <= 7 && points <= 65, "{awards} {points}");
    // What is left is earned now, and no more.
    for number in 0..9 {
        earn(data, &holders[number % 2], "last", activity(&format!("s{number}"), 100)).await;
    }
    let (awards, points) = spent(data).await;
    assert!(awards == 7 || points == 65, "{awards} {points}");
}

/// Many users at the same time earn the awards of a budget that was greater before. The handles may belong to two instances.
pub async fn keep_a_smaller_budget(handles: [Arc<dyn TenantData>; 2]) {
    let large = holders(&with_budget(&json!({"awards": 1_000})));
    let [data, _] = &handles;
    for (user, earning) in ["before a", "before b"].into_iter().zip(&large) {
        earn(data, earning, user, activity("s1", 100)).await;
    }
    let taken: Vec<_> = shares(data).await.iter().map(|share| share.taken_awards).collect();
    assert_eq!(taken, [200, 100, 100]);
    let small = holders(&with_budget(&json!({"awards": 52})));
    let bonuses = earn_at_once(&handles, &small, 60, 4).await;
    assert_eq!((bonuses, spent(data).await), (500, (52, 520)));
    // A greater one counts at once, too.
    let greater = holders(&with_budget(&json!({"awards": 60})));
    let mut later = 0;
    for number in 0..10 {
        let new = activity(&format!("s{number}"), 100);
        later += bonus(data, &greater[number % 2], "after", new).await;
    }
    assert_eq!((later, spent(data).await), (80, (60, 600)));
}

/// The points of all bonuses of this many activities of each of this many users.
async fn earn_at_once(
    handles: &[Arc<dyn TenantData>; 2],
    holders: &[Earning; 2],
    users: usize,
    activities: usize,
) -> i64 {
    let writers = (0..users).map(|user| {
        let (data, earning) = (handles[user % 2].clone(), holders[user % 2].clone());
        tokio::spawn(async move {
            let mut bonuses = 0;
            for number in 0..activities {
                let new = activity(&format!("s{number}"), 100);
                bonuses += bonus(&data, &earning, &format!("u{user}"), new).await;
            }
            bonuses
        })
    });
    join_all(writers).await.into_iter().map(Result::unwrap).sum()
}

pub(super) async fn told_of_budgets(data: &Arc<dyn TenantData>) -> Vec<String> {
    let all = told(data).await;
    let events = all.iter().map(|line| line.split_once(' ').unwrap().1);
    events.filter(|event| event.starts_with("campaign.")).map(ToOwned::to_owned).collect()
}

pub(super) async fn assert_told_once(data: &Arc<dyn TenantData>) {
    assert_eq!(told_of_budgets(data).await, ["campaign.budget_low  spring", "campaign.budget_spent  spring"]);
}

/// Reverses a transaction with its awards, for the share of the holder `c`.
pub(super) async fn reverse(
    data: &Arc<dyn TenantData>,
    user: &str,
    recorded: &RecordedActivity,
    is_partial: bool,
) -> ReversalOutcome {
    reverse_as(data, user, recorded, |reversal| ReverseTransaction { is_partial, ..reversal }).await
}

/// The same, where `change` may ask for something else than all of it.
pub(super) async fn reverse_as(
    data: &Arc<dyn TenantData>,
    user: &str,
    recorded: &RecordedActivity,
    change: impl FnOnce(ReverseTransaction) -> ReverseTransaction,
) -> ReversalOutcome {
    let (user_id, transaction) = (user_id(user), recorded.transaction.clone());
    let mut awards = awards(data).await;
    awards.retain(|award| (&award.user_id, award.seq) == (&user_id, recorded.seq));
    let id = TransactionId::new(format!("{}/reversal", transaction.id)).unwrap();
    let whole = build::reversal(user_id, Some(transaction), id, noon());
    data.write(change(ReverseTransaction { awards, holder: "c".to_owned(), ..whole })).await.unwrap()
}

/// Returns a part of a transaction, in a row with this id.
pub(super) async fn return_part_of(
    data: &Arc<dyn TenantData>,
    user: &str,
    recorded: &RecordedActivity,
    part: i64,
    id: &str,
) -> ReversalOutcome {
    let change = |reversal| ReverseTransaction {
        part: Some(points(part)),
        id: TransactionId::new(id).unwrap(),
        ..reversal
    };
    reverse_as(data, user, recorded, change).await
}

/// Many returns of one row at the same time: as many as there are points. The handles may belong to two instances.
pub async fn keep_returns_within_their_row(handles: [Arc<dyn TenantData>; 2]) {
    let [data, _] = &handles;
    let rules = earning("a", []);
    let row = earn(data, &rules, "ann", activity("s1", 100)).await;
    earn(data, &rules, "ann", Activity { kind: ActivityType::order(), ..activity("s2", 500) }).await;
    let returns = (0..30).map(|number| {
        let (data, row) = (handles[number % 2].clone(), row.clone());
        tokio::spawn(async move { return_part_of(&data, "ann", &row, 7, &format!("r{number:02}")).await })
    });
    let outcomes = join_all(returns.collect::<Vec<_>>()).await;
    let mut done = 0;
    for outcome in outcomes {
        match outcome.unwrap() {
            ReversalOutcome::Reversed(_) => done += 1,
            outcome => assert_eq!(outcome, ReversalOutcome::TooMuch { left: 2 }),
        }
    }
    assert_eq!(done, 14);
    assert_reversed(&return_part_of(data, "ann", &row, 2, "last").await);
    let balance = data.user(&user_id("ann")).await.unwrap().unwrap().balance;
    assert_eq!(balance, build::points(500));
}

/// The wish of a back office to reverse a row.
pub(super) fn wanted(row: (UserId, TransactionId), reason: &str) -> WantedReversal {
    WantedReversal { row, reason: reason.to_owned(), part: None, is_partial: false, max_points: None }
}

pub(super) fn assert_reversed(outcome: &ReversalOutcome) {
    assert!(matches!(outcome, ReversalOutcome::Reversed(_)), "{outcome:?}");
}

pub(super) fn with_budget(budget: &Value) -> CampaignVersion {
    active(&json!({"limits": {"budget": budget}}))
}
