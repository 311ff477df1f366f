use pointbook_campaigns::{Options, parse};
use pointbook_domain::zones::time_zone::Zone;
use pointbook_domain::{ActivityType, Attributes, Bonus, Bonuses, Locale, Points, SourceId, TransactionId};
use pointbook_store::tenant_secret::TenantSecret;
use serde_json::{Value, json};

use super::*;
use crate::campaigns::back_test::BackTestResult;

const HOUR: i64 = 3_600_000_000;
/// 2024-02-29T00:00:00Z.
const START: i64 = 1_709_164_800_000_000;

fn at(hours: i64) -> Timestamp {
    Timestamp::from_micros(START + hours * HOUR).unwrap()
}

/// A row of this user, with an event at this hour that was recorded at once.
fn row(user: &str, seq: u64, hour: i64, points: i64) -> EarningRow {
    EarningRow {
        user_id: UserId::new(user).unwrap(),
        seq,
        id: TransactionId::new(format!("t{seq}")).unwrap(),
        created_at: at(hour),
        kind: ActivityType::new("code").unwrap(),
        source_id: SourceId::new(format!("s{seq}")).unwrap(),
        points: Points::new(points).unwrap(),
        bonuses: Bonuses::NONE,
        recorded_at: at(hour),
        attributes: Attributes::NONE,
        bonus_origin: BonusOrigin::Import,
    }
}

fn paid(row: EarningRow, kind: &str, title: &str, points: i64) -> EarningRow {
    let bonus =
        Bonus { kind: kind.to_owned(), points: Points::new(points).unwrap(), title: title.to_owned() };
    EarningRow { bonuses: Bonuses::new(vec![bonus]).unwrap(), ..row }
}

/// Back-tests a campaign, which doubles the points unless the fields say something else, from hour 0 until hour 1,000.
fn test(fields: &Value, rows: &[EarningRow]) -> BackTestResult {
    test_given(fields, rows, &[])
}

/// The same, for a user who got awards of these points for the rows with these `seq`.
fn test_given(fields: &Value, rows: &[EarningRow], given: &[(u64, i64)]) -> BackTestResult {
    tally(fields, rows, &with_awards(given)).into_result()
}

fn with_awards(given: &[(u64, i64)]) -> PageUser {
    PageUser { profile: None, given: Arc::new(given.iter().copied().collect()) }
}

fn tally(fields: &Value, rows: &[EarningRow], user: &PageUser) -> Tally {
    let mut definition = json!({"id": "spring", "title": {"en": "Spring"}, "reward": {"percent": 100}});
    definition.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let locale = Locale::new("en").unwrap();
    let campaign = Arc::new(parse(&definition, &locale).unwrap());
    // A paused version that takes over later: a back-test tests its definition.
    let version = CampaignVersion { campaign, version: 3, state: VersionState::Paused, from: Timestamp::MAX };
    let rules = Arc::new(RuleSet::new(Vec::new(), Options::new(locale)));
    let secret = Arc::new(TenantSecret::new([7; 32]));
    let earning = Earning { rules, zone: Zone::UTC, secret: Some(secret), holder: "a".to_owned() };
    let test = BackTest { version, from: at(0), until: at(1_000) };
    let mut simulation = Simulation::new(&earning, &test).collecting();
    for row in rows {
        simulation.row(row, user);
    }
    simulation.finish()
}

/// Awards, points, users and clipped awards.
fn sums(result: &BackTestResult) -> (u64, i64, u64, u64) {
    (result.awards, result.points, result.users, result.clipped)
}

#[test]
fn events_count_from_the_first_moment_until_before_the_last() {
    let rows = [row("u1", 1, -1, 100), row("u1", 2, 0, 10), row("u1", 3, 999, 1), row("u1", 4, 1_000, 100)];
    let result = test(&json!({}), &rows);
    assert_eq!((result.activities, sums(&result)), (2, (2, 11, 1, 0)));
    let days: Vec<_> = result.days.iter().map(|day| (day.day.as_str(), day.awards, day.points)).collect();
    assert_eq!(days, [("2024-02-29", 1, 10), ("2024-04-10", 1, 1)]);
}

#[test]
fn orders_reversals_and_rows_that_take_points_earn_nothing() {
    let order = EarningRow { kind: ActivityType::order(), ..row("u1", 1, 0, 100) };
    let reversal = EarningRow {
        source_id: SourceId::new("t7:reversal").unwrap(),
        bonus_origin: BonusOrigin::Undecided,
        ..row("u1", 2, 0, 100)
    };
    let result = test(&json!({}), &[order, reversal, row("u1", 3, 0, -5), row("u1", 4, 0, 0)]);
    assert_eq!((result.activities, sums(&result)), (2, (0, 0, 0, 0)));
    assert!(result.days.is_empty() && result.top_users.is_empty());
}

#[test]
fn limits_of_a_user_count_the_awards_of_the_test() {
    let twice = json!({"limits": {"per_user": [{"period": "day", "awards": 2}]}});
    let before = paid(row("u1", 1, -1, 10), "campaign", "Spring", 10);
    let rows = [
        before,
        row("u1", 2, 0, 1),
        row("u1", 3, 1, 2),
        row("u1", 4, 2, 4),
        row("u1", 5, 24, 8),
        row("u2", 1, 3, 16),
    ];
    assert_eq!(sums(&test(&twice, &rows)), (4, 1 + 2 + 8 + 16, 2, 0));
    let five_points = json!({"limits": {"per_user": [{"period": "ever", "points": 5}]}});
    assert_eq!(sums(&test(&five_points, &rows)), (4, 5 + 5, 2, 2));
}

#[test]
fn ordinals_count_the_rows_before_the_test() {
    let third = json!({"conditions": {"ordinal": {"every": 3, "of": "type"}}});
    let other = EarningRow { kind: ActivityType::new("video").unwrap(), ..row("u1", 2, -2, 5) };
    let rows = [row("u1", 1, -3, 1), other, row("u1", 3, -1, 2), row("u1", 4, 0, 4), row("u1", 5, 1, 8)];
    assert_eq!(sums(&test(&third, &rows)), (1, 4, 1, 0));
    let first = json!({"conditions": {"ordinal": {"first": true, "of": "all"}}});
    assert_eq!(sums(&test(&first, &rows)), (0, 0, 0, 0));
    // Rows of other users do not count.
    assert_eq!(sums(&test(&first, &[row("u1", 1, -1, 1), row("u2", 1, 0, 2)])), (1, 2, 1, 0));
}

#[test]
fn a_budget_is_spent_in_the_order_of_recording() {
    let late = EarningRow { recorded_at: at(50), ..row("u1", 1, 0, 10) };
    let rows = [late, row("u2", 1, 1, 20), row("u3", 1, 2, 40)];
    let points = |on_limit| json!({"limits": {"budget": {"points": 65}, "on_points_limit": on_limit}});
    let clipped = test(&points("clip"), &rows);
    assert_eq!(sums(&clipped), (3, 65, 3, 1));
    let users: Vec<_> = clipped.top_users.iter().map(|user| (user.user_id.as_str(), user.points)).collect();
    assert_eq!(users, [("u3", 40), ("u2", 20), ("u1", 5)]);
    assert_eq!(sums(&test(&points("skip"), &rows)), (2, 60, 2, 0));
    let two = test(&json!({"limits": {"budget": {"awards": 2}}}), &rows);
    assert_eq!((sums(&two), two.days[0].awards), ((2, 60, 2, 0), 2));
}

/// They are recorded at one time, in the order in which they happened.
#[test]
fn a_budget_is_spent_in_the_order_of_the_rows_of_an_import() {
    let imported = |user, hour| EarningRow { recorded_at: at(50), ..row(user, 1, hour, 10) };
    let budget = json!({"limits": {"budget": {"points": 15}}});
    let result = test(&budget, &[imported("u1", 2), imported("u2", 1), imported("u3", 3)]);
    let users: Vec<_> = result.top_users.iter().map(|user| (user.user_id.as_str(), user.points)).collect();
    assert_eq!(users, [("u2", 10), ("u1", 5)]);
}

#[test]
fn rows_are_compared_with_what_they_have() {
    let rows = [
        paid(row("u1", 1, 0, 10), "campaign", "Spring", 10),
        paid(row("u1", 2, 0, 10), "campaign", "Spring", 9),
        paid(row("u1", 3, 0, 10), "campaign", "Autumn", 10),
        paid(row("u1", 4, 0, 10), "welcome", "Spring", 10),
        paid(row("u2", 1, 0, 0), "campaign", "Printemps", 7),
    ];
    for budget in [json!({}), json!({"budget": {"awards": 100}})] {
        let title = json!({"title": {"en": "Spring", "fr": "Printemps"}, "limits": budget});
        let result = test(&title, &rows);
        assert_eq!((result.paid.awards, result.paid.points, result.differing), (3, 26, 4));
        let differing = |row: &crate::campaigns::back_test::DifferingRow| {
            (row.user_id.clone(), row.transaction_id.clone(), row.simulated, row.paid)
        };
        let expected = [("u1", "t2", 10, 9), ("u1", "t3", 10, 0), ("u1", "t4", 10, 0), ("u2", "t1", 0, 7)];
        let expected =
            expected.map(|(user, id, simulated, paid)| (user.to_owned(), id.to_owned(), simulated, paid));
        assert_eq!(result.differing_rows.iter().map(differing).collect::<Vec<_>>(), expected);
    }
}

#[test]
fn the_twenty_users_with_the_most_points_are_listed() {
    let user = |number: i64| row(&format!("u{number:02}"), 1, 0, 1 + number % 25);
    let result = test(&json!({}), &(0..50).map(user).collect::<Vec<_>>());
    assert_eq!((result.users, result.top_users.len()), (50, 20));
    let top: Vec<_> = result.top_users.iter().map(|user| (user.user_id.as_str(), user.points)).collect();
    assert_eq!(top[..3], [("u24", 25), ("u49", 25), ("u23", 24)]);
    assert_eq!(top[19], ("u40", 16));
    assert_eq!((result.differing, result.differing_rows.len()), (50, 20));
    let stored = serde_json::to_string(&result).unwrap();
    assert_eq!(serde_json::from_str::<BackTestResult>(&stored).unwrap(), result);
}

fn filled(of: u64, seq: u64, points: i64) -> EarningRow {
    EarningRow {
        source_id: SourceId::new(format!("t{of}:spring:1:back-fill")).unwrap(),
        bonus_origin: BonusOrigin::BackFill,
        ..paid(row("u1", seq, 2_000, 0), "campaign", "Spring", points)
    }
}

fn reversal(of: u64, seq: u64) -> EarningRow {
    EarningRow {
        source_id: SourceId::new(format!("t{of}:reversal")).unwrap(),
        bonus_origin: BonusOrigin::Undecided,
        ..row("u1", seq, 2_000, -1)
    }
}

#[test]
fn a_back_filled_award_counts_as_paid_for_its_row() {
    let scan = |seq, hour, points| row("u1", seq, hour, points);
    let rows = [scan(1, 0, 10), scan(2, 1, 20), filled(1, 3, 10), filled(2, 4, 15), filled(9, 5, 7)];
    let given = [(3, 10), (4, 15), (5, 7)];
    let result = test_given(&json!({}), &rows, &given);
    assert_eq!((result.activities, result.awards, result.differing), (2, 2, 1));
    assert_eq!((result.paid.awards, result.paid.points), (2, 25));
    let differing = &result.differing_rows[0];
    assert_eq!((differing.transaction_id.as_str(), differing.simulated, differing.paid), ("t2", 20, 15));
    // A version that gives the row nothing says what it has, too.
    let none = test_given(&json!({"conditions": {"min_points": 1_000}}), &rows, &given);
    assert_eq!((none.awards, none.paid.awards, none.paid.points, none.differing), (0, 2, 25, 2));
}

/// The titles of a campaign change, and other campaigns may have the same ones.
#[test]
fn what_a_campaign_gave_is_known_by_its_awards() {
    let live = |row| EarningRow { bonus_origin: BonusOrigin::Campaigns { awards: 1 }, ..row };
    let renamed = live(paid(row("u1", 1, 0, 10), "campaign", "Old title", 4));
    let other = live(paid(row("u1", 2, 1, 10), "campaign", "Spring", 10));
    let result = test_given(&json!({}), &[renamed, other], &[(1, 4)]);
    assert_eq!((result.paid.awards, result.paid.points, result.differing), (1, 4, 2));
    let found = result.differing_rows.iter().map(|row| (row.transaction_id.as_str(), row.paid));
    assert_eq!(found.collect::<Vec<_>>(), [("t1", 4), ("t2", 0)]);
}

/// With `"rules": "add"`, the bonuses of the request stand before those of campaigns.
#[test]
fn bonuses_of_a_request_beside_those_of_campaigns_are_paid() {
    let row = paid(row("u1", 1, 0, 10), "campaign", "Spring", 10);
    let bonus = |title: &str, points| {
        let (kind, title) = ("campaign".to_owned(), title.to_owned());
        Bonus { kind, points: Points::new(points).unwrap(), title }
    };
    let bonuses = Bonuses::new(vec![bonus("Spring", 4), bonus("Autumn", 9), bonus("Spring", 6)]).unwrap();
    let row = EarningRow { bonuses, bonus_origin: BonusOrigin::Campaigns { awards: 1 }, ..row };
    let result = test_given(&json!({}), std::slice::from_ref(&row), &[(1, 6)]);
    assert_eq!((result.paid.awards, result.paid.points, result.due.awards), (2, 10, 0));
    let other_award = test_given(&json!({}), &[row], &[]);
    assert_eq!((other_award.paid.points, other_award.due.points), (4, 6));
}

#[test]
fn tests_with_other_awards_have_other_fingerprints() {
    let rows = |first, second| [row("u1", 1, 0, first), row("u1", 2, 1, second)];
    let fingerprint = |rows: &[EarningRow]| test(&json!({}), rows).fingerprint;
    let found = fingerprint(&rows(10, 20));
    assert_eq!((found.len(), fingerprint(&rows(10, 20)) == found), (64, true));
    assert_ne!(fingerprint(&rows(20, 10)), found, "the sums are the same");
}

#[test]
fn a_back_fill_gives_what_is_missing_and_nothing_for_reversed_rows() {
    let part = paid(row("u1", 2, 1, 20), "campaign", "Spring", 5);
    let more = paid(row("u1", 3, 2, 3), "campaign", "Spring", 4);
    let [first, fourth, fifth] =
        [(1, 0, 10), (4, 3, 30), (5, 4, 40)].map(|(seq, hour, points)| row("u1", seq, hour, points));
    let rows = [first, part, more, fourth, fifth, reversal(4, 6), filled(5, 7, 40)];
    for limits in [json!({}), json!({"budget": {"awards": 100}})] {
        let fields = json!({ "limits": limits });
        let lacking = tally(&fields, &rows, &with_awards(&[(7, 40)])).lacking.unwrap();
        let lacks: Vec<_> =
            lacking.lacks.iter().map(|lack| (lack.transaction_id.as_str(), lack.points.get())).collect();
        assert_eq!((lacks, lacking.reversed), (vec![("t1", 10), ("t2", 15)], 1));
    }
}
