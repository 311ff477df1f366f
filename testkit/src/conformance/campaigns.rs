//! Facts of activities that earn bonuses of campaigns.

use std::sync::Arc;

use pointbook_campaigns::{CampaignVersion, VersionState};
use pointbook_domain::points::MAX_POINTS;
use pointbook_domain::zones::time_zone::Zone;
use pointbook_domain::{Activity, ActivityType, BonusOrigin, TimeZoneName};
use pointbook_points::earning::bonuses::Earning;
use pointbook_points::earning::record_activities::RecordHistory;
use pointbook_points::earning::record_activity::RecordActivity;
use pointbook_store::ports::RecordActivityOutcome::{
    AlreadyRecorded, Conflict, OutOfRange, Recorded, TooFewPoints,
};
use pointbook_store::ports::{
    ActivityToRecord, Database, LedgerEntry, NewTransaction, RecordOutcome, RecordedActivity,
};
use pointbook_store::schema::rows::AwardRow;
use serde_json::json;

use super::add_tenant;
use super::campaign_helpers::{active, awards, bonus, earn, earning, record, shares, spent};
use super::chain::all_entries;
use super::state::tenant_state;
use crate::build;
use crate::build::{activity, noon, on_day, points, recorded, user_id};

/// The bonus ends the breakdown, after those of the request, and the award has a row.
pub async fn an_activity_earns_the_bonus_of_a_campaign(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let half = earning("a", [active(&json!({"reward": {"percent": 50}}))]);
    earn(&data, &half, "u1", activity("first", 1)).await;
    let given = Activity { bonuses: build::bonuses(&[3]), ..activity("s1", 7) };
    let RecordedActivity { transaction, seq, user_points } = earn(&data, &half, "u1", given).await;
    assert_eq!((seq, user_points.get()), (2, 1 + 7 + 3 + 3));
    assert_eq!(transaction.activity.bonuses, build::bonuses(&[3, 3]));
    assert_eq!(transaction.bonus_origin, BonusOrigin::Campaigns { awards: 1 });
    let entries = all_entries(&data).await;
    assert_eq!(entries[1].transaction, *transaction);
    assert_eq!(entries[0].transaction.bonus_origin, BonusOrigin::Campaigns { awards: 0 }, "half of 1 is 0");
    let award = AwardRow {
        user_id: user_id("u1"),
        campaign_id: "spring".to_owned(),
        day: noon().day(),
        seq: 2,
        version: 1,
        points: points(3),
        birthday: None,
    };
    assert_eq!(awards(&data).await, [award]);
}

/// The day of an award counts for limits, so it is a day of the tenant's time zone.
pub async fn the_day_of_an_award_is_a_local_day(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let zone = Zone::find(&TimeZoneName::new("Pacific/Kiritimati").unwrap()).unwrap();
    let once_a_day = json!({"limits": {"per_user": [{"period": "day", "awards": 1}]}});
    let ahead = Earning { zone, ..earning("a", [active(&once_a_day)]) };
    let hours = |hours: i64| build::at(hours * 3_600_000_000);
    // The zone is 14 hours ahead of UTC, so noon is 2 o'clock of the next day.
    for (source, at, expected) in
        [("s1", -2, 10), ("s2", -3, 10), ("s3", 0, 0), ("s4", -4, 0), ("s5", 22, 10)]
    {
        let new = Activity { created_at: hours(at), ..activity(source, 100) };
        assert_eq!(bonus(&data, &ahead, "u1", new).await, expected, "{source}");
    }
    let days: Vec<_> = awards(&data).await.iter().map(|award| award.day.as_days()).collect();
    let day = noon().day().as_days();
    assert_eq!(days, [day, day + 1, day + 2]);
}

/// The request decides whether an activity is the same, never what campaigns said then or say now.
pub async fn a_repeat_is_the_first_transaction_whatever_campaigns_say(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let spring = active(&json!({}));
    let running = earning("a", [spring.clone()]);
    let given = Activity { bonuses: build::bonuses(&[3]), ..activity("s1", 7) };
    let first = earn(&data, &running, "u1", given.clone()).await;
    earn(&data, &running, "u1", activity("s2", 5)).await;
    let again = |id: &str, given: &Activity| build::again(&recorded("u1", given.clone()), id);
    let before = (tenant_state(&data).await, awards(&data).await);
    let mut ended = spring.clone();
    ended.state = VersionState::Ended;
    let other = active(&json!({"reward": {"points": 9}, "kind": "welcome"}));
    for rules in [vec![spring], vec![ended], vec![other], Vec::new()] {
        let repeat = again("again", &given);
        let outcome = data.write(single(&repeat, &earning("b", rules.clone()))).await.unwrap();
        let expected = RecordedActivity { user_points: points(35), ..first.clone() };
        assert_eq!(outcome, AlreadyRecorded(expected), "{rules:?}");
        let import = RecordHistory::new(vec![repeat], noon());
        for import in [import, RecordHistory::new(vec![again("i", &given)], noon()).earning(running.clone())]
        {
            assert_eq!(data.write(import).await.unwrap(), [RecordOutcome::AlreadyRecorded]);
        }
    }
    for other in [
        Activity { points: points(8), ..given.clone() },
        Activity { bonuses: build::bonuses(&[]), ..given.clone() },
        // What a history shows is not what the request said.
        first.transaction.activity.clone(),
    ] {
        let outcome = data.write(single(&again("other", &other), &running)).await.unwrap();
        assert_eq!(outcome, Conflict, "{other:?}");
    }
    assert_eq!((tenant_state(&data).await, awards(&data).await), before);
}

fn single(new: &NewTransaction, earning: &Earning) -> RecordActivity {
    let activity = ActivityToRecord { new: new.clone(), has_own_time: true };
    RecordActivity::without_end(activity, noon()).earning(earning.clone())
}

/// A refused activity has no award, and spends nothing.
pub async fn a_refused_activity_has_no_award(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let double = json!({"reward": {"percent": 100}, "limits": {"budget": {"points": 1_000}}});
    let double = earning("a", [active(&double)]);
    let tenfold = earning("a", [active(&json!({"id": "ten", "reward": {"percent": 1_000}}))]);
    assert_eq!(bonus(&data, &double, "u1", activity("s1", 100)).await, 100);
    let before = (tenant_state(&data).await, awards(&data).await, shares(&data).await);
    for (rules, amount, refusal) in [
        (&double, -201, TooFewPoints),
        (&double, MAX_POINTS - 200, OutOfRange),
        (&double, MAX_POINTS, OutOfRange),
        (&tenfold, MAX_POINTS / 2, OutOfRange),
    ] {
        assert_eq!(record(&data, rules, "u1", activity("s2", amount)).await, refusal, "{amount}");
        assert_eq!((tenant_state(&data).await, awards(&data).await, shares(&data).await), before, "{amount}");
    }
    assert_eq!(spent(&data).await, (1, 100));
}

/// The stored awards of a period count. Noon is Thursday, 29 February. Each list has days after it, and the bonus of an activity on each of
/// them.
pub async fn limits_per_user_follow_the_calendar(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    for (period, days) in [
        ("week", &[(0, 10), (3, 0), (4, 10), (-3, 0), (-4, 10)][..]),
        ("month", &[(0, 10), (1, 10), (31, 0), (32, 10), (-28, 0), (-29, 10)]),
        ("year", &[(0, 10), (306, 0), (307, 10), (-59, 0), (-60, 10)]),
        ("ever", &[(0, 10), (400, 0), (-400, 0)]),
    ] {
        let once = json!({"limits": {"per_user": [{"period": period, "awards": 1}]}});
        let once = earning("a", [active(&once)]);
        for (place, (day, expected)) in days.iter().enumerate() {
            let new = Activity { created_at: on_day(*day), ..activity(&format!("s{place}"), 100) };
            assert_eq!(bonus(&data, &once, period, new).await, *expected, "{period} {day}");
        }
    }
}

/// One command gives the same awards as one command for each of its rows.
pub async fn an_import_earns_what_single_activities_earn(database: Arc<dyn Database>) {
    let (one_by_one, together) = (add_tenant(&database, "acme").await, add_tenant(&database, "other").await);
    let rules = earning("a", campaigns_of_an_import());
    let rows: Vec<_> = (0..60).map(row_of_an_import).collect();
    for new in &rows {
        let single = single(new, &rules);
        let outcome = one_by_one.write(single).await.unwrap();
        assert!(matches!(outcome, Recorded(_)), "{outcome:?}");
    }
    for batch in rows.chunks(25) {
        let import = RecordHistory::new(batch.to_vec(), noon()).earning(rules.clone());
        let outcomes = together.write(import).await.unwrap();
        assert_eq!(outcomes, vec![RecordOutcome::Recorded; batch.len()]);
    }
    let expected = awards(&one_by_one).await;
    let of = |id: &str| expected.iter().filter(|award| award.campaign_id == id).count();
    assert_eq!(["welcome", "third", "capped"].map(of), [4, 20, 32]);
    assert_eq!(awards(&together).await, expected);
    let entries = |entries: Vec<LedgerEntry>| -> Vec<_> {
        entries.into_iter().map(|entry| (entry.user_id, entry.seq, entry.transaction)).collect()
    };
    assert_eq!(entries(all_entries(&together).await), entries(all_entries(&one_by_one).await));
    assert_eq!(spent(&together).await, spent(&one_by_one).await);
}

fn campaigns_of_an_import() -> [CampaignVersion; 3] {
    [
        active(&json!({"id": "welcome", "kind": "welcome", "conditions": {"ordinal": {"first": true}}})),
        active(&json!({"id": "third", "reward": {"percent": 25},
            "conditions": {"ordinal": {"every": 3, "of": "all"}}})),
        active(&json!({"id": "capped", "limits": {"per_user": [{"period": "day", "points": 35}],
            "budget": {"awards": 1_000}}})),
    ]
}

/// Two users, and two types.
fn row_of_an_import(number: i64) -> NewTransaction {
    let kind = ActivityType::new(["code", "quiz"][usize::from(number % 5 == 0)]).unwrap();
    let created_at = build::at((number - 60) * build::DAY_MICROS / 20);
    let new = Activity { kind, created_at, ..activity(&number.to_string(), 40 + number) };
    recorded(["u1", "u2"][usize::from(number % 4 < 2)], new)
}
