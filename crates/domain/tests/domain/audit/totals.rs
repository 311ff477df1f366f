//! Sums, days and the user's row.

use pointbook_domain::Activity;
use pointbook_domain::audit::{AuditFact, StoredRow, UnreadableRow};
use proptest::collection::vec;
use proptest::prelude::{Strategy, prop_assert_eq, proptest};

use super::facts::{Facts, audit, sample, scan, user_id};

/// Scans of one user: day, base points, bonus points.
type Scans = Vec<(i32, i64, i64)>;

fn scans() -> impl Strategy<Value = Scans> {
    vec((-5_i32..5, -1_000_i64..1_000, 0_i64..100), 0..20)
}

fn activities(scans: &Scans) -> impl Iterator<Item = Activity> {
    scans
        .iter()
        .enumerate()
        .map(|(place, (day, points, bonus))| scan(&place.to_string(), *day, *points, *bonus))
}

proptest! {
    #[test]
    fn facts_in_order_come_to_the_naive_totals(scans in scans()) {
        let others = [Facts::of([]), Facts::of([])].map(Facts::in_order);
        let audited = audit([Facts::of(activities(&scans)).in_order()].into_iter().chain(others));
        prop_assert_eq!(audited.len(), 3);
        let mut days: Vec<_> = scans.iter().map(|(day, _, _)| day).collect();
        days.sort();
        days.dedup();
        let points: i64 = scans.iter().map(|(_, points, bonus)| points + bonus).sum();
        let totals = &audited[0].totals;
        prop_assert_eq!(&totals.user_id, &user_id(0));
        prop_assert_eq!((totals.transactions, totals.days, totals.orders), (scans.len() as u64, days.len() as u64, 0));
        prop_assert_eq!(totals.user_points, i128::from(points));
        prop_assert_eq!((&audited[1].totals.user_id, audited[1].totals.user_points), (&user_id(1), 0));
        for user in audited {
            prop_assert_eq!(user.differences, vec![]);
        }
    }

    #[test]
    fn a_lost_transaction_is_found(scans in scans(), lost in 0_usize..20) {
        let mut facts = Facts::of(activities(&scans));
        if lost < scans.len() {
            facts.rows.remove(lost);
            let found = facts.differences();
            let (_, points, bonus) = scans[lost];
            let found_off = found.iter().any(|what| what.starts_with("balance is"));
            prop_assert_eq!(found_off, points + bonus != 0);
            let gaps = found.iter().filter(|what| {
                what.starts_with("transaction ") || what.starts_with("newest transaction")
            });
            prop_assert_eq!(gaps.count(), 1);
        }
    }
}

#[test]
fn a_wrong_balance_tells_both_sums() {
    let mut facts = sample();
    facts.user.as_mut().unwrap().balance = 15;
    let text = audit([facts.clone().in_order()])[0].differences[0].to_string();
    assert_eq!(facts.differences(), ["balance is 15 but the transactions come to 14"]);
    assert_eq!(text, "user \"u000\": balance is 15 but the transactions come to 14");
}

#[test]
fn a_wrong_number_of_days_tells_both_numbers() {
    let mut facts = sample();
    facts.user.as_mut().unwrap().day_count = -3;
    assert_eq!(facts.differences(), ["day count is -3 but the transactions fall on 2 days"]);
}

#[test]
fn a_user_who_is_not_stored_is_found() {
    assert_eq!(Facts { user: None, ..sample() }.differences(), ["has history but is not stored"]);
}

#[test]
fn the_users_row_knows_the_newest_transaction() {
    let mut facts = sample();
    facts.user.as_mut().unwrap().last_seq = 2;
    assert_eq!(facts.differences(), ["newest transaction is said to be 2 but is 3"]);
    for mut facts in [sample(), Facts::of([])] {
        facts.user.as_mut().unwrap().last_hash = [9; 32];
        assert_eq!(facts.differences(), ["the stored last hash is not that of the newest transaction"]);
    }
}

#[test]
fn a_ledger_beyond_all_bounds_does_not_overflow() {
    let row = |seq| {
        let unreadable = UnreadableRow {
            id: String::new(),
            kind: String::new(),
            source_id: String::new(),
            points: i64::MAX,
            created_at: i64::MAX,
            balance_after: i64::MAX,
            why: String::new(),
        };
        StoredRow { seq, hash: [0; 32], bonus_points: i64::MAX, content: Err(unreadable) }
    };
    let facts = Facts { rows: vec![row(i64::MAX), row(i64::MAX), row(i64::MIN)], ..Facts::of([]) };
    assert_eq!(audit([facts.in_order()])[0].totals.user_points, 6 * i128::from(i64::MAX));
}

#[test]
fn what_cannot_be_read_is_told_with_its_place() {
    let mut facts = sample().in_order();
    facts.insert(1, AuditFact::Unreadable("table orders".into()));
    let audited = audit([facts]);
    let texts: Vec<_> = audited[0].differences.iter().map(ToString::to_string).collect();
    assert_eq!(texts, ["user \"u000\": cannot be read: table orders"]);
}

#[test]
fn nothing_audited_is_nobody() {
    assert_eq!(audit([]), []);
}
