//! The auditor, against facts that are right and facts that are broken in one place.
#![expect(clippy::unwrap_used, reason = "what cannot happen ends a test")]

use std::collections::BTreeMap;

use pointbook_domain::audit::{AuditFact, AuditedUser, Auditor, DifferenceKind};
use pointbook_domain::{Day, Timestamp, UserId};
use proptest::collection::vec;
use proptest::prelude::{Strategy, prop_assert_eq, proptest};

const DAY_MICROS: i64 = 86_400_000_000;

/// Transactions of one user: day, base points, bonus points.
type Rows = Vec<(i32, i64, i64)>;

fn user_id(number: usize) -> UserId {
    UserId::new(format!("u{number:03}")).unwrap()
}

fn rows() -> impl Strategy<Value = Rows> {
    vec((-5_i32..5, -1_000_i64..1_000, 0_i64..100), 0..20)
}

fn transaction(seq: u64, created_at: Timestamp, points: i64, bonus_points: i64) -> AuditFact {
    AuditFact::Transaction { created_at, seq, points, bonus_points, stored_bonus_points: bonus_points }
}

/// What a store that is in order remembers of these transactions.
fn facts(rows: &Rows) -> Vec<AuditFact> {
    let mut days: BTreeMap<i32, u64> = BTreeMap::new();
    for (day, _, _) in rows {
        *days.entry(*day).or_default() += 1;
    }
    let balance = rows.iter().map(|(_, points, bonus)| points + bonus).sum();
    let mut facts = vec![AuditFact::User { balance, day_count: days.len() as u64 }];
    for (day, transaction_count) in days {
        facts.push(AuditFact::Day { day: Day::from_days(day).unwrap(), transaction_count });
    }
    for (seq, (day, points, bonus_points)) in (1..).zip(rows) {
        let created_at = Timestamp::from_micros(i64::from(*day) * DAY_MICROS + 7).unwrap();
        facts.push(transaction(seq, created_at, *points, *bonus_points));
    }
    facts
}

fn audit(users: &[Vec<AuditFact>]) -> Vec<AuditedUser> {
    let mut auditor = Auditor::default();
    let mut audited = Vec::new();
    for (number, facts) in users.iter().enumerate() {
        audited.extend(facts.iter().filter_map(|fact| auditor.take(&user_id(number), fact)));
    }
    audited.extend(auditor.finish());
    audited
}

fn differences(facts: Vec<AuditFact>) -> Vec<DifferenceKind> {
    let audited = audit(&[facts]);
    assert_eq!(audited.len(), 1);
    audited[0].differences.iter().map(|difference| difference.what.clone()).collect()
}

proptest! {
    #[test]
    fn facts_in_order_come_to_the_naive_totals(users in vec(rows(), 0..6)) {
        let facts: Vec<_> = users.iter().map(facts).collect();
        let audited = audit(&facts);
        prop_assert_eq!(audited.len(), users.len());
        for (number, (user, rows)) in audited.iter().zip(&users).enumerate() {
            let mut days: Vec<_> = rows.iter().map(|(day, _, _)| day).collect();
            days.sort();
            days.dedup();
            let points: i64 = rows.iter().map(|(_, points, bonus)| points + bonus).sum();
            prop_assert_eq!(&user.totals.user_id, &user_id(number));
            prop_assert_eq!(user.totals.transactions, rows.len() as u64);
            prop_assert_eq!(user.totals.days, days.len() as u64);
            prop_assert_eq!(user.totals.user_points, i128::from(points));
            prop_assert_eq!(&user.differences, &vec![]);
        }
    }

    #[test]
    fn a_lost_transaction_is_found(rows in rows(), lost in 0_usize..20) {
        let mut stored = facts(&rows);
        let first = stored.len() - rows.len();
        if lost < rows.len() {
            stored.remove(first + lost);
            let found = differences(stored);
            let (day, ..) = rows[lost];
            let of_day = rows.iter().filter(|row| row.0 == day).count() as u64;
            let day = Day::from_days(day).unwrap();
            let missing = DifferenceKind::Day { day, stored: of_day, recomputed: of_day - 1 };
            prop_assert_eq!(found.iter().filter(|what| **what == missing).count(), 1);
            let is_off = rows[lost].1 + rows[lost].2 != 0;
            let found_off = found.iter().any(|what| matches!(what, DifferenceKind::Balance { .. }));
            prop_assert_eq!(found_off, is_off);
        }
    }
}

fn sample() -> Vec<AuditFact> {
    facts(&vec![(1, 10, 2), (1, -5, 0), (3, 7, 0)])
}

#[test]
fn a_wrong_balance_tells_both_sums() {
    let mut facts = sample();
    facts[0] = AuditFact::User { balance: 15, day_count: 2 };
    assert_eq!(differences(facts), [DifferenceKind::Balance { stored: 15, recomputed: 14 }]);
}

#[test]
fn a_wrong_number_of_days_tells_both_numbers() {
    let mut facts = sample();
    facts[0] = AuditFact::User { balance: 14, day_count: 3 };
    assert_eq!(differences(facts), [DifferenceKind::DayCount { stored: 3, recomputed: 2 }]);
}

#[test]
fn a_day_without_transactions_and_a_transaction_without_a_day_are_found() {
    let (first, fourth) = (Day::from_days(1).unwrap(), Day::from_days(4).unwrap());
    let mut facts = sample();
    facts[1] = AuditFact::Day { day: fourth, transaction_count: 2 };
    let missing = DifferenceKind::Day { day: first, stored: 0, recomputed: 2 };
    let extra = DifferenceKind::Day { day: fourth, stored: 2, recomputed: 0 };
    assert_eq!(differences(facts), [missing, extra]);
}

#[test]
fn a_user_who_is_not_stored_is_found() {
    let facts = sample().split_off(1);
    assert_eq!(differences(facts), [DifferenceKind::UserMissing]);
}

#[test]
fn a_changed_breakdown_names_the_row_and_counts_for_the_balance() {
    let mut facts = sample();
    for fact in &mut facts {
        if let AuditFact::Transaction { seq: 1, bonus_points, .. } = fact {
            *bonus_points = 9;
        }
    }
    let created_at = Timestamp::from_micros(DAY_MICROS + 7).unwrap();
    let bonus = DifferenceKind::Bonus { seq: 1, created_at, stored: 2, recomputed: 9 };
    assert_eq!(differences(facts.clone()), [DifferenceKind::Balance { stored: 14, recomputed: 21 }, bonus]);
    let text = audit(&[facts])[0].differences[1].to_string();
    let row = "transaction 1 of 1970-01-02T00:00:00.000007Z";
    assert_eq!(text, format!("user \"u000\": {row} has 2 bonus points but its breakdown comes to 9"));
}

#[test]
fn a_ledger_beyond_all_bounds_does_not_overflow() {
    let created_at = Timestamp::from_micros(0).unwrap();
    let huge = transaction(1, created_at, i64::MAX, i64::MAX);
    let audited = audit(&[vec![huge.clone(), huge]]);
    assert_eq!(audited[0].totals.user_points, 4 * i128::from(i64::MAX));
}

#[test]
fn a_difference_reads_alone() {
    let mut facts = sample();
    facts[0] = AuditFact::User { balance: 15, day_count: 2 };
    let text = audit(&[facts])[0].differences[0].to_string();
    assert_eq!(text, "user \"u000\": balance is 15 but the transactions come to 14");
}

#[test]
fn nothing_audited_is_nobody() {
    assert_eq!(audit(&[]), []);
}
