//! The grouping of a history, against a program that sorts and folds.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use pointbook_domain::history::{ReadRow, group_by_day};
use pointbook_domain::{
    Activity, ActivityType, Bonus, Bonuses, Day, GroupedHistory, HistoryRow, HistoryRows, Points, SourceId,
    Timestamp, Transaction, TransactionId,
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
            source_id: SourceId::new(format!(
                "{place}{}",
                if place.is_multiple_of(2) { ":refund" } else { "" }
            ))
            .unwrap(),
            points: Points::new(points).unwrap(),
            bonuses: Bonuses::new(if place.is_multiple_of(3) { vec![] } else { vec![bonus] }).unwrap(),
            title: format!("Title {place}"),
            subtitle: "か".repeat(place % 4),
            created_at: Timestamp::from_micros(micros).unwrap(),
            attributes: pointbook_domain::Attributes::NONE,
        },
        bonus_origin: pointbook_domain::BonusOrigin::Undecided,
    }
}

fn transactions(rows: Vec<(i64, &str, i64, i64)>) -> Vec<Transaction> {
    rows.into_iter().enumerate().map(|(place, row)| transaction(place, row)).collect()
}

/// As a store reads them.
fn group(mut transactions: Vec<Transaction>) -> GroupedHistory {
    transactions.sort_by_key(|row| Reverse((row.activity.created_at, row.id.clone())));
    let mut rows = HistoryRows::default();
    for transaction in &transactions {
        rows.push(transaction.into()).unwrap();
    }
    group_by_day(rows)
}

/// Days, their groups' types, and their rows.
type Days<'h> = Vec<(Day, Vec<(&'h str, Vec<HistoryRow<'h>>)>)>;

fn days(grouped: &GroupedHistory) -> Days<'_> {
    let mut days = Vec::new();
    for day in grouped.days() {
        let groups = day.groups().map(|group| (group.kind.as_str(), group.rows().collect()));
        days.push((day.day, groups.collect()));
    }
    days
}

/// The rules of the interface, one after another and without regard to cost.
fn naive(transactions: &[Transaction]) -> Days<'_> {
    let key = |row: &&Transaction| (Reverse(row.activity.created_at), row.id.clone());
    let days: BTreeSet<Day> = transactions.iter().map(|row| row.activity.created_at.day()).collect();
    let day = |day: Day| {
        let mut kinds: BTreeMap<&str, Vec<&Transaction>> = BTreeMap::new();
        for row in transactions.iter().filter(|row| row.activity.created_at.day() == day) {
            kinds.entry(row.activity.kind.as_str()).or_default().push(row);
        }
        for rows in kinds.values_mut() {
            rows.sort_by_key(key);
        }
        let mut groups: Vec<_> = kinds.into_iter().collect();
        groups.sort_by_key(|(_, rows)| key(&rows[0]));
        let groups =
            groups.into_iter().map(|(kind, rows)| (kind, rows.into_iter().map(HistoryRow::from).collect()));
        (day, groups.collect())
    };
    days.into_iter().rev().map(day).collect()
}

proptest! {
    #[test]
    fn grouping_equals_sort_and_fold(rows in vec(row(), 0..60)) {
        let transactions = transactions(rows);
        let grouped = group(transactions.clone());
        prop_assert_eq!(days(&grouped), naive(&transactions));
        prop_assert_eq!(grouped.row_count(), transactions.len());
    }

    #[test]
    fn the_totals_of_all_groups_are_the_balance(rows in vec(row(), 0..60)) {
        let transactions = transactions(rows);
        let balance: i64 = transactions.iter().map(|row| row.activity.net_points().unwrap().get()).sum();
        let grouped = group(transactions);
        let groups = || grouped.days().flat_map(|day| day.groups());
        prop_assert!(groups().all(|group| group.rows().len() > 0));
        let totals: i64 = groups().map(|group| group.total_points() + group.total_bonus_points()).sum();
        prop_assert_eq!(totals, balance);
    }
}

#[test]
fn the_group_with_the_newest_transaction_stands_first() {
    let noon = DAY_MICROS / 2;
    let rows =
        [(noon, "code"), (noon + 5, "quiz"), (noon + 1, "video"), (noon + 9, "code"), (noon - 1, "order")];
    let grouped = group(transactions(rows.map(|(at, kind)| (at, kind, 1, 0)).into()));
    let days = days(&grouped);
    assert_eq!(days.len(), 1);
    let kinds: Vec<_> = days[0].1.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(kinds, ["code", "quiz", "video", "order"]);
}

#[test]
fn a_page_of_many_types_knows_each_once() {
    let kinds: Vec<String> = (0..6_000).map(|number| format!("t{}", number * 7_919 % 2_000)).collect();
    let on_two_days = kinds.iter().zip([0, DAY_MICROS].into_iter().cycle());
    let transactions = transactions(on_two_days.map(|(kind, at)| (at, kind.as_str(), 1, 0)).collect());
    let grouped = group(transactions.clone());
    assert_eq!(days(&grouped), naive(&transactions));
    assert_eq!(grouped.kinds().len(), 2_000);
    let groups: Vec<_> = grouped.days().flat_map(|day| day.groups()).collect();
    assert!(groups.iter().all(|group| grouped.kinds()[group.kind_place] == *group.kind));
}

#[test]
fn sums_beyond_the_bounds_of_points_stay_at_them() {
    let grouped = group(transactions(vec![(0, "code", (1 << 53) - 1, 0); 1_100]));
    let day = grouped.days().next().unwrap();
    assert_eq!(day.groups().next().unwrap().total_points(), (1 << 53) - 1);
}

#[test]
fn a_row_of_a_kind_that_no_activity_has_is_refused() {
    let transaction = transaction(1, (0, "code", 5, 0));
    let mut rows = HistoryRows::default();
    assert!(rows.push(ReadRow { kind: "QR code", ..ReadRow::from(&transaction) }).is_err());
    assert!(rows.is_empty());
}

/// A refund for nothing is told by its source id, and no other is asked for it.
#[test]
fn a_refund_is_an_order_that_gives_points_back() {
    let refunds = |kind: &str, points, source: &str| {
        let transaction = transaction(1, (0, kind, points, 0));
        let source_id = SourceId::new(source).unwrap();
        let activity = Activity { source_id, ..transaction.activity.clone() };
        let grouped = group(vec![Transaction { activity, ..transaction }]);
        grouped.days().next().unwrap().groups().next().unwrap().refund_count()
    };
    assert_eq!([refunds("order", 5, "a"), refunds("order", 0, "a:refund")], [1, 1]);
    assert_eq!(
        [refunds("order", 0, "a"), refunds("order", -5, "a:refund"), refunds("code", 5, "a:refund")],
        [0; 3]
    );
}
