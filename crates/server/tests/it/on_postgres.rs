//! Runs the suite on PostgreSQL, too: this program starts itself again in another set-up.
//!
//! `POINTBOOK_TEST_SETUP=postgres cargo test -p pointbook-server --test it suite::orders` runs a part of it; the set-ups
//! `read-committed`, `serializable` and `citus` are run by `cargo xtask check --full`.

use std::env;
use std::io::{Write, stdout};
use std::process::Command;

use pointbook_testkit::postgres::Setup;

use crate::harness::setup;

/// How the line with the totals of a run begins.
const TOTALS: &str = "test result: ";

#[test]
fn suite_passes_on_postgresql() {
    let second = Setup::Pooled;
    if setup() != Setup::Sqlite || !second.is_available() {
        return;
    }
    let (variable, value) = second.variable();
    let mut suite = Command::new(env::current_exe().unwrap());
    let output = suite.arg("suite::").env(variable, value).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{printed}\n{}", String::from_utf8_lossy(&output.stderr));
    // The harness hides what a passing test prints with `println!`.
    let totals = printed.lines().find_map(|line| line.strip_prefix(TOTALS)).unwrap();
    assert!(!totals.contains(" 0 passed"), "no test of the suite ran: {totals}");
    writeln!(stdout(), "on PostgreSQL: {totals}").unwrap();
}
