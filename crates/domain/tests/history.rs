//! The grouping of a history, against a program that sorts and folds.
#![expect(clippy::unwrap_used, reason = "what cannot happen ends a test")]

use std::collections::{BTreeMap, BTreeSet};

use pointbook_domain::history::group_by_day;
use pointbook_domain::{
    Activity, ActivityType, Bonus, Bonuses, Day, HistoryDay, Points, SourceId, Timestamp, Transaction,
    TransactionId,
};
use proptest::collection::vec;
use proptest::prelude::{Strategy, prop_assert, prop_assert_eq, proptest};
use proptest::sample::select;

const DAY_MICROS: i64 = 86_400_000_000;

/// Few moments, so that many transactions share one: on the edges of days, before and after 1970.
fn moment() -> impl Strategy<Value = i64> {
    let in_day = select(vec![0, 1, DAY_MICROS / 2, DAY_MICROS - 1]);
    (-3_i64..4, in_day).prop_map(|(day, micros)| day * DAY_MICROS + micros)
}

fn row() -> impl Strategy<Value = (i64, &'static str, i64, i64)> {
    (moment(), select(vec!["code", "video", "quiz", "order"]), -1_000_i64..1_000, 0_i64..100)
}

fn transaction(place: usize, (micros, kind, points, bonus): (i64, &str, i64, i64)) -> Transaction {
    let bonus = Bonus { kind: "campaign".into(), points: Points::new(bonus).unwrap(), title: String::new() };
    Transaction {
        // Not ascending with the place, so that ties are decided by the id and nothing else.
        id: TransactionId::new(format!("{:03}-{place}", place * 37 % 101)).unwrap(),
        activity: Activity {
            kind: ActivityType::new(kind).unwrap(),
            source_id: SourceId::new(place.to_string()).unwrap(),
            points: Points::new(points).unwrap(),
            bonuses: Bonuses::new(vec![bonus]).unwrap(),
            title: String::new(),
            subtitle: String::new(),
            created_at: Timestamp::from_micros(micros).unwrap(),
        },
    }
}

/// The rules of the interface, one after another and without regard to cost.
fn naive(transactions: &[Transaction]) -> Vec<HistoryDay> {
    let key = |row: &Transaction| (std::cmp::Reverse(row.activity.created_at), row.id.clone());
    let days: BTreeSet<Day> = transactions.iter().map(|row| row.activity.created_at.day()).collect();
    let day = |day: Day| {
        let mut kinds: BTreeMap<ActivityType, Vec<Transaction>> = BTreeMap::new();
        for row in transactions.iter().filter(|row| row.activity.created_at.day() == day) {
            kinds.entry(row.activity.kind.clone()).or_default().push(row.clone());
        }
        let mut groups: Vec<_> = kinds
            .into_iter()
            .map(|(kind, mut transactions)| {
                transactions.sort_by_key(key);
                pointbook_domain::ActivityGroup { kind, transactions }
            })
            .collect();
        groups.sort_by_key(|group| key(&group.transactions[0]));
        HistoryDay { day, groups }
    };
    days.into_iter().rev().map(day).collect()
}

proptest! {
    #[test]
    fn grouping_equals_sort_and_fold(rows in vec(row(), 0..60)) {
        let transactions: Vec<_> = rows.into_iter().enumerate().map(|(place, row)| transaction(place, row)).collect();
        prop_assert_eq!(group_by_day(transactions.clone()), naive(&transactions));
    }

    #[test]
    fn grouping_does_not_depend_on_the_order_given(rows in vec(row(), 0..60), turn in 0_usize..60) {
        let mut transactions: Vec<_> =
            rows.into_iter().enumerate().map(|(place, row)| transaction(place, row)).collect();
        let before = group_by_day(transactions.clone());
        let turn = turn.min(transactions.len());
        transactions.rotate_left(turn);
        transactions.reverse();
        prop_assert_eq!(group_by_day(transactions), before);
    }

    #[test]
    fn the_totals_of_all_groups_are_the_balance(rows in vec(row(), 0..60)) {
        let balance: i64 = rows.iter().map(|(_, _, points, bonus)| points + bonus).sum();
        let transactions = rows.into_iter().enumerate().map(|(place, row)| transaction(place, row)).collect();
        let days = group_by_day(transactions);
        let groups = || days.iter().flat_map(|day| &day.groups);
        prop_assert!(groups().all(|group| !group.transactions.is_empty()));
        let totals: i64 = groups().map(|group| group.total_points() + group.total_bonus_points()).sum();
        prop_assert_eq!(totals, balance);
    }
}

#[test]
fn the_group_with_the_newest_transaction_stands_first() {
    let noon = DAY_MICROS / 2;
    let rows =
        [(noon, "code"), (noon + 5, "quiz"), (noon + 1, "video"), (noon + 9, "code"), (noon - 1, "order")];
    let rows = rows.into_iter().enumerate().map(|(place, (at, kind))| transaction(place, (at, kind, 1, 0)));
    let days = group_by_day(rows.collect());
    assert_eq!(days.len(), 1);
    let kinds: Vec<_> = days[0].groups.iter().map(|group| group.kind.as_str()).collect();
    assert_eq!(kinds, ["code", "quiz", "video", "order"]);
}

#[test]
fn sums_beyond_the_bounds_of_points_stay_at_them() {
    let rows = (0..1_100).map(|place| transaction(place, (0, "code", (1 << 53) - 1, 0))).collect();
    assert_eq!(group_by_day(rows)[0].groups[0].total_points(), (1 << 53) - 1);
}
