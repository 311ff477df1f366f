//! Lots of a user, and what changed them.

use pointbook_domain::audit::StoredLots;
use pointbook_domain::expiry::{Lots, Moves};

use super::facts::{Facts, content, faulty, moving, sample};

/// The sample, where lots were kept after the first row: its 12 points were the first lot, the second row took 5 of them, and the third row
/// gave 7 of a later day.
fn with_lots() -> Facts {
    let mut facts = sample();
    for (place, text) in [(1, "2027-01-31:-5"), (2, "2027-02-28:7")] {
        let (seq, before) = (facts.rows[place].seq, facts.rows[place - 1].hash);
        let row = content(&mut facts.rows[place]).clone();
        facts.rows[place] =
            moving(seq, row.transaction.activity, row.balance_after, Some(moves(text)), &before);
    }
    let user = facts.user.as_mut().unwrap();
    user.last_hash = facts.rows[2].hash;
    user.lots = stored("2027-01-31:7,2027-02-28:7");
    Facts { lot_changes: vec![(1, moves("2027-01-31:12"))], ..facts }
}

fn moves(text: &str) -> Moves {
    Moves::parse(text).unwrap()
}

/// What the row of a user says with these lots.
fn stored(lots: &str) -> StoredLots {
    let next = Lots::parse(lots).unwrap().next_last_day();
    StoredLots { lots: Some(lots.to_owned()), next_expiry_on: Some(next.as_days().into()) }
}

/// What an audit finds of other lots in the row of the user.
fn of_user(lots: StoredLots) -> Vec<String> {
    let mut facts = with_lots();
    facts.user.as_mut().unwrap().lots = lots;
    facts.differences()
}

const HASH: &str = "hash does not follow from the row and the one before";

#[test]
fn lots_that_are_what_was_moved_are_right() {
    assert!(with_lots().differences().is_empty());
}

#[test]
fn other_lots_are_found() {
    let found = of_user(stored("2027-01-31:14"));
    assert_eq!(found, ["lots are 2027-01-31:14 but what was moved comes to 2027-01-31:7,2027-02-28:7"]);
    let found = of_user(stored("2027-01-31:7"));
    assert_eq!(found[0], "lots are 2027-01-31:7 but what was moved comes to 2027-01-31:7,2027-02-28:7");
    assert_eq!(found[1..], ["lots come to 7 but the transactions to 14"]);
    let found = of_user(stored("2027-01-31:-7,2027-02-28:21"));
    assert_eq!(
        found[1..],
        ["lots are 2027-01-31:-7,2027-02-28:21: one is below 0, or there is a debt beside others"]
    );
    let found = of_user(stored("0001-01-01:-7,2027-02-28:21"));
    assert!(found[1].ends_with("or there is a debt beside others"), "{found:?}");
}

#[test]
fn lots_that_are_missing_or_unreadable_are_found() {
    let missing = "has no lots, but 2027-01-31:7,2027-02-28:7 was moved";
    assert_eq!(of_user(StoredLots::default()), [missing]);
    let unreadable = StoredLots { lots: Some("soon:7".to_owned()), next_expiry_on: Some(20_849) };
    assert_eq!(of_user(unreadable), ["lots \"soon:7\" cannot be read"]);
}

#[test]
fn a_wrong_day_of_the_next_end_is_found() {
    let lots = StoredLots { next_expiry_on: Some(1), ..stored("2027-01-31:7,2027-02-28:7") };
    assert_eq!(of_user(lots), ["points end next on 2027-01-31, but the user's row says 1970-01-02"]);
}

#[test]
fn a_row_that_moved_something_else_is_found() {
    let mut facts = with_lots();
    content(&mut facts.rows[1]).moves = Some(moves("2027-01-31:-4"));
    let found = facts.differences();
    assert_eq!(
        found[0],
        "lots are 2027-01-31:7,2027-02-28:7 but what was moved comes to 2027-01-31:8,2027-02-28:7"
    );
    assert_eq!(found[1..], [faulty(2, "s2", &[HASH, "moved -4 points of lots but has -5 points"])]);
    // Another day, in the row and in the lots. Only the hash tells.
    let mut facts = with_lots();
    content(&mut facts.rows[2]).moves = Some(moves("2027-03-31:7"));
    facts.user.as_mut().unwrap().lots = stored("2027-01-31:7,2027-03-31:7");
    assert_eq!(facts.differences(), [faulty(3, "s3", &[HASH])]);
}

#[test]
fn a_row_that_says_nothing_of_lots_is_found() {
    let mut facts = with_lots();
    content(&mut facts.rows[2]).moves = None;
    facts.user.as_mut().unwrap().lots = stored("2027-01-31:7");
    let found = facts.differences();
    assert_eq!(
        found,
        [
            "lots come to 7 but the transactions to 14",
            &faulty(3, "s3", &[HASH, "does not say which lots it moved"])
        ]
    );
}

#[test]
fn a_change_that_was_removed_or_put_elsewhere_is_found() {
    let found = Facts { lot_changes: Vec::new(), ..with_lots() }.differences();
    assert_eq!(
        found,
        ["lots are 2027-01-31:7,2027-02-28:7 but what was moved comes to 2027-01-31:-5,2027-02-28:7"]
    );
    let found = Facts { lot_changes: vec![(2, moves("2027-01-31:12"))], ..with_lots() }.differences();
    assert!(found.contains(&faulty(2, "s2", &["moved lots before there were any"])), "{found:?}");
}
