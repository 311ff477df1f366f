//! Faults of single ledger rows.

use pointbook_domain::audit::{Difference, UnreadableRow};
use pointbook_domain::ledger::CHAIN_START;
use pointbook_domain::{Points, Timestamp};

use super::facts::{Facts, content, faulty, sample, scan, stored, user_id};

const HASH: &str = "hash does not follow from the row and the one before";
const LAST_HASH: &str = "the stored last hash is not that of the newest transaction";

fn balance(stored: i64, recomputed: i64) -> String {
    format!("balance is {stored} but the transactions come to {recomputed}")
}

fn balance_after(stored: i64, recomputed: i64) -> String {
    format!("balance after it is {stored} but should be {recomputed}")
}

fn bonus(stored: i64, recomputed: i64) -> String {
    format!("has {stored} bonus points but its breakdown comes to {recomputed}")
}

fn out_of_place(expected: i64) -> String {
    format!("stands where {expected} should")
}

fn repeated_key(first_seq: i64) -> String {
    format!("has the type and source id of transaction {first_seq}")
}

fn points(amount: i64) -> Points {
    Points::new(amount).unwrap()
}

#[test]
fn a_changed_text_is_found_by_the_hash_of_its_row_alone() {
    let mut facts = sample();
    content(&mut facts.rows[1]).transaction.activity.title = "Other".into();
    assert_eq!(facts.differences(), [faulty(2, "s2", &[HASH])]);
}

#[test]
fn a_changed_time_of_recording_is_found_by_the_hash() {
    let mut facts = sample();
    content(&mut facts.rows[2]).recorded_at = Timestamp::from_micros(99).unwrap();
    assert_eq!(facts.differences(), [faulty(3, "s3", &[HASH])]);
}

#[test]
fn changed_points_are_found_in_the_sum_and_at_their_row() {
    let mut facts = sample();
    content(&mut facts.rows[1]).transaction.activity.points = points(95);
    let row = faulty(2, "s2", &[&*balance_after(7, 107), HASH]);
    let counted = r#"earning activities are counted as "code:2" but the transactions come to "code:3""#;
    assert_eq!(facts.differences(), [balance(14, 114), counted.to_owned(), row]);
}

#[test]
fn a_changed_breakdown_counts_for_the_balance() {
    let mut facts = sample();
    let broken = scan("s1", 1, 10, 9);
    content(&mut facts.rows[0]).transaction.activity = broken;
    let faults = [&*bonus(2, 9), &balance_after(12, 19), HASH];
    assert_eq!(facts.differences(), [balance(14, 21), faulty(1, "s1", &faults)]);
}

#[test]
fn a_changed_sum_of_bonuses_is_found() {
    let mut facts = sample();
    facts.rows[0].bonus_points = 3;
    assert_eq!(facts.differences(), [faulty(1, "s1", &[&bonus(3, 2)])]);
}

/// The row after is compared with what is stored.
#[test]
fn a_changed_balance_is_found_at_its_row_and_the_next() {
    let mut facts = sample();
    content(&mut facts.rows[0]).balance_after = points(20);
    let first = faulty(1, "s1", &[&*balance_after(20, 12), HASH]);
    let second = faulty(2, "s2", &[&*balance_after(7, 15)]);
    assert_eq!(facts.differences(), [first, second]);
}

#[test]
fn a_replaced_hash_is_found_at_its_row_and_the_next() {
    let mut facts = sample();
    facts.rows[0].hash = [1; 32];
    assert_eq!(facts.differences(), [faulty(1, "s1", &[HASH]), faulty(2, "s2", &[HASH])]);
}

#[test]
fn a_replaced_hash_of_the_newest_row_is_found_at_the_user() {
    let mut facts = sample();
    facts.rows[2].hash = [1; 32];
    assert_eq!(facts.differences(), [LAST_HASH.to_owned(), faulty(3, "s3", &[HASH])]);
}

/// Who knows how hashes are made can make one, but not without the next.
#[test]
fn a_row_that_was_changed_with_its_hash_is_found_at_the_next_row() {
    let mut facts = sample();
    facts.rows[0] = stored(1, scan("other", 1, 10, 2), points(12), &CHAIN_START);
    assert_eq!(facts.differences(), [faulty(2, "s2", &[HASH])]);
}

#[test]
fn a_removed_row_is_a_gap_and_nothing_more_at_the_rows_after() {
    let mut facts = sample();
    facts.rows.remove(1);
    let found = facts.differences();
    let rows: Vec<_> = found.iter().filter(|what| what.starts_with("transaction ")).collect();
    assert_eq!(rows, [&faulty(3, "s3", &[&*out_of_place(2)])]);
}

#[test]
fn a_row_that_comes_twice_is_a_repeat_of_its_place_and_its_key() {
    let mut facts = sample();
    let twice = facts.rows[1].clone();
    facts.rows.insert(2, twice);
    let row = faulty(2, "s2", &[&*out_of_place(3), &repeated_key(2)]);
    let found = facts.differences();
    assert!(found.contains(&row), "{found:?}");
    assert_eq!(found.iter().filter(|what| what.starts_with("transaction ")).count(), 1);
}

#[test]
fn a_business_key_that_comes_twice_is_found() {
    let facts = Facts::of([scan("s1", 1, 10, 0), scan("s2", 1, 1, 0), scan("s1", 2, 10, 0)]);
    assert_eq!(facts.differences(), [faulty(3, "s1", &[&repeated_key(1)])]);
}

/// Its points count as they are stored, and the chain goes on behind it.
#[test]
fn a_row_that_cannot_be_read_is_named_and_the_audit_goes_on() {
    let mut facts = sample();
    let row = &mut facts.rows[0];
    row.content = Err(UnreadableRow {
        id: "t-s1".into(),
        kind: "code".into(),
        source_id: "s1".into(),
        points: 10,
        created_at: content(row).transaction.activity.created_at.as_micros(),
        balance_after: 12,
        why: "no JSON".into(),
    });
    assert_eq!(facts.differences(), [faulty(1, "s1", &["cannot be read: no JSON"])]);
}

#[test]
fn a_row_is_told_in_one_line() {
    let what = faulty(2, "s2", &[&*balance_after(7, 107), HASH]);
    let text = Difference { user_id: user_id(0), what }.to_string();
    let row = "user \"u000\": transaction 2 (code \"s2\", id \"t-s2\")";
    let balance = "balance after it is 7 but should be 107";
    assert_eq!(text, format!("{row}: {balance}; hash does not follow from the row and the one before"));
}
