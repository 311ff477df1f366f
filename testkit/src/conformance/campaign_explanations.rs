//! Facts of explanations: of stored transactions, and of activities that have not happened.

use std::sync::Arc;

use pointbook_campaigns::{Verdict, VerdictResult};
use pointbook_domain::{Activity, ActivityType, BonusOrigin};
use pointbook_points::audit::ledger::audit_ledger;
use pointbook_points::campaigns::manage::CampaignStep;
use pointbook_points::earning::explain::{DryRunOutcome, explain};
use pointbook_store::limits::MAX_BONUSES;
use pointbook_store::ports::Database;
use serde_json::{Value, json};

use super::campaign_helpers::{CampaignFixture, asking, awards, shares};
use super::campaign_races::{assert_reversed, reverse};
use super::state::tenant_state;
use crate::build;
use crate::build::{activity, at, noon, on_day, user_id};

fn shown(verdicts: &[Verdict]) -> Vec<String> {
    let result = |verdict: &Verdict| match &verdict.result {
        VerdictResult::Applied { points } => format!("{} applied {points}", verdict.campaign),
        VerdictResult::Clipped { points, by, would_be } => {
            format!("{} clipped {points} of {would_be} by {}", verdict.campaign, by.as_str())
        }
        VerdictResult::Not(reason) => format!("{} {reason}", verdict.campaign),
    };
    verdicts.iter().map(result).collect()
}

/// A campaign for each kind of verdict.
fn definitions() -> [Value; 8] {
    [
        json!({"id": "all"}),
        json!({"id": "budget", "limits": {"budget": {"points": 25}}}),
        json!({"id": "first", "conditions": {"ordinal": {"first": true}}}),
        json!({"id": "large", "conditions": {"min_points": 1_000}}),
        json!({"id": "later", "starts_at": "2024-03-01T00:00:00Z"}),
        json!({"id": "limited", "limits": {"per_user": [{"period": "day", "points": 15}]}}),
        json!({"id": "paused"}),
        json!({"id": "quiz", "conditions": {"types": ["quiz"]}}),
    ]
}

async fn started(database: &Arc<dyn Database>) -> CampaignFixture {
    let fixture = CampaignFixture::new(database).await;
    for fields in &definitions() {
        fixture.start(fields).await;
    }
    fixture.step("paused", CampaignStep::Pause, on_day(-1)).await;
    fixture
}

async fn explained(
    fixture: &CampaignFixture,
    user: &str,
    id: &pointbook_domain::TransactionId,
) -> Vec<String> {
    let context = fixture.context(on_day(5));
    let explanation = explain(&context, &user_id(user), id).await.unwrap().unwrap();
    let paid = explanation.awards.iter().map(|award| award.points.get()).sum::<i64>();
    assert_eq!(paid, explanation.entry.transaction.activity.bonuses.total().get());
    shown(&explanation.verdicts)
}

const FIRST: [&str; 8] = [
    "all applied 10",
    "budget applied 10",
    "first applied 10",
    "large min_points",
    "later outside_window",
    "limited applied 10",
    "paused paused",
    "quiz type",
];

/// Every campaign has one verdict, and each award row is applied, also after limits were used up and campaigns have changed.
pub async fn a_stored_transaction_is_explained(database: Arc<dyn Database>) {
    let fixture = started(&database).await;
    let mut rows = Vec::new();
    for number in 0..4 {
        let new = Activity { created_at: at(number), ..activity(&format!("s{number}"), 100) };
        rows.push(fixture.earn("u1", new).await.transaction.id.clone());
    }
    let expected = |budget, limited| {
        let mut verdicts = FIRST;
        (verdicts[1], verdicts[2], verdicts[5]) = (budget, "first ordinal", limited);
        verdicts
    };
    let clipped = expected("budget applied 10", "limited clipped 5 of 10 by user_limit");
    let last = expected("budget clipped 5 of 10 by budget", "limited user_limit");
    let none = expected("budget budget", "limited user_limit");
    for change in 0..3 {
        assert_eq!(explained(&fixture, "u1", &rows[0]).await, FIRST, "{change}");
        // What the row has is what counts. It does not tell why it is less than the campaign gives.
        assert_eq!(explained(&fixture, "u1", &rows[1]).await, clipped, "{change}");
        assert_eq!(explained(&fixture, "u1", &rows[2]).await, last, "{change}");
        assert_eq!(explained(&fixture, "u1", &rows[3]).await, none, "{change}");
        if change == 0 {
            fixture.step("all", CampaignStep::End, on_day(1)).await;
        } else {
            fixture.put(&json!({"id": "limited", "reward": {"points": 99}}), None, on_day(2)).await;
        }
    }
    let unknown = pointbook_domain::TransactionId::new("unknown").unwrap();
    assert_eq!(explain(&fixture.context(noon()), &user_id("u1"), &unknown).await.unwrap(), None);
}

/// A reversal that gives points back is no activity: recording and explaining count the same rows.
pub async fn a_reversal_has_no_ordinal(database: Arc<dyn Database>) {
    let fixture = CampaignFixture::new(&database).await;
    let spend = Activity { created_at: at(1), ..activity("s2", -5) };
    let quiz = ActivityType::new("quiz").unwrap();
    fixture.earn("u1", Activity { kind: quiz, ..activity("s1", 100) }).await;
    let taken = fixture.earn("u1", spend).await;
    assert_reversed(&reverse(&fixture.data, "u1", &taken, false).await);
    // The case of the suffix matters.
    let upper = Activity { created_at: at(2), ..activity("x:REVERSAL", 100) };
    for (id, ordinal) in [("first", json!({"first": true})), ("second", json!({"every": 2}))] {
        fixture.start(&json!({"id": id, "conditions": {"ordinal": ordinal}})).await;
    }
    let first = fixture.earn("u1", Activity { created_at: at(3), ..activity("s3", 100) }).await;
    let second = fixture.earn("u1", upper).await;
    let third = fixture.earn("u1", Activity { created_at: at(4), ..activity("s4", 100) }).await;
    let expected = [
        (first, ["first applied 10", "second ordinal"]),
        (second, ["first ordinal", "second applied 10"]),
        (third, ["first ordinal", "second ordinal"]),
    ];
    for (row, expected) in expected {
        assert_eq!(explained(&fixture, "u1", &row.transaction.id).await, expected);
    }
    assert_eq!(audit_ledger(&*fixture.data, |_| {}).await.unwrap().differences, 0);
}

/// The ceiling clips a campaign whose budget has enough. The budget of that moment is not stored, so the explanation must not blame it.
pub async fn a_ceiling_is_told_from_a_budget(database: Arc<dyn Database>) {
    let fixture = CampaignFixture::new(&database).await;
    let budget = json!({"budget": {"awards": 100, "points": 9}});
    for fields in [
        json!({"id": "a", "reward": {"points": 8}}),
        json!({"id": "b", "reward": {"points": 8}, "limits": budget}),
        json!({"id": "c", "limits": budget}),
    ] {
        fixture.start(&fields).await;
    }
    let small = fixture.earn("u1", activity("s1", 1)).await.transaction.id.clone();
    let large = fixture
        .earn("u1", Activity { created_at: at(1), ..activity("s2", 100) })
        .await
        .transaction
        .id
        .clone();
    let last =
        fixture.earn("u1", Activity { created_at: at(2), ..activity("s3", 2) }).await.transaction.id.clone();
    let expected = ["a applied 8", "b clipped 2 of 8 by ceiling", "c ceiling"];
    assert_eq!(explained(&fixture, "u1", &small).await, expected);
    let expected = ["a applied 8", "b clipped 7 of 8 by budget", "c clipped 9 of 10 by budget"];
    assert_eq!(explained(&fixture, "u1", &large).await, expected);
    assert_eq!(explained(&fixture, "u1", &last).await, ["a applied 8", "b budget", "c budget"]);
}

/// A breakdown stays within the bound that imports have. Awards, breakdown and verdicts agree.
pub async fn awards_have_the_room_that_the_request_leaves(database: Arc<dyn Database>) {
    let fixture = CampaignFixture::new(&database).await;
    for id in ["a", "b", "c"] {
        fixture.start(&json!({"id": id})).await;
    }
    let expected = ["a applied 10", "b applied 10", "c too_many_bonuses"];
    let given = Activity { bonuses: build::bonuses(&[1; MAX_BONUSES - 2]), ..activity("s1", 100) };
    let run = fixture.dry_run(asking("u1", given.clone())).await;
    assert_eq!(shown(&run.verdicts), expected);
    let row = fixture.earn("u1", given).await.transaction;
    assert_eq!(row.activity.bonuses.breakdown().len(), MAX_BONUSES);
    assert_eq!(
        (row.bonus_origin, awards(&fixture.data).await.len()),
        (BonusOrigin::Campaigns { awards: 2 }, 2)
    );
    let context = fixture.context(on_day(5));
    let explanation = explain(&context, &user_id("u1"), &row.id).await.unwrap().unwrap();
    assert_eq!(shown(&explanation.verdicts), expected);
    assert_eq!(audit_ledger(&*fixture.data, |_| {}).await.unwrap().differences, 0);
}

/// It changes nothing, and says what the next recording does.
pub async fn a_dry_run_says_what_recording_does(database: Arc<dyn Database>) {
    let fixture = started(&database).await;
    let data = &fixture.data;
    for (number, user) in [(1, "u1"), (2, "u1"), (3, "u2"), (4, "u1"), (5, "u2")] {
        let new = activity(&format!("s{number}"), 100);
        let before = (tenant_state(data).await, awards(data).await, shares(data).await);
        for _ in 0..2 {
            let run = fixture.dry_run(asking(user, new.clone())).await;
            assert!(!run.is_recorded);
        }
        let run = fixture.dry_run(asking(user, new.clone())).await;
        assert_eq!((tenant_state(data).await, awards(data).await, shares(data).await), before);
        let DryRunOutcome { transaction, verdicts, .. } = run;
        let (would_be, recorded) = (transaction.unwrap(), fixture.earn(user, new.clone()).await.transaction);
        assert_eq!((&would_be.activity, would_be.bonus_origin), (&recorded.activity, recorded.bonus_origin));
        assert_eq!(explained(&fixture, user, &recorded.id).await, shown(&verdicts), "{number}");
        let again = fixture.dry_run(asking(user, new)).await;
        assert!(again.is_recorded);
    }
    let too_much = activity("most", pointbook_domain::points::MAX_POINTS);
    let run = fixture.dry_run(asking("u1", too_much)).await;
    assert_eq!((run.transaction, run.verdicts.len()), (None, 8));
    let too_late = Activity { created_at: build::on_day(-8), ..activity("old", 100) };
    let run = fixture.dry_run(asking("u1", too_late)).await;
    assert!(shown(&run.verdicts).iter().all(|verdict| verdict.ends_with(" too_late")), "{:?}", run.verdicts);
}
