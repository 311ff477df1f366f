//! Runs tests: all of them, and the suites of databases once more in other set-ups.

use std::num::NonZero;
use std::thread::available_parallelism;

use anyhow::{Context, Result, ensure};
use xtask::operate::ci::environment;

use super::{Skipped, cargo, processes, transcripts};

/// The README's test command. `--locked` keeps the lock file, and one failure does not hide the next.
const ALL: &[&str] = &["test", "--workspace", "--locked", "--no-fail-fast"];

/// The executables whose suites run in the set-up that `POINTBOOK_TEST_SETUP` names.
const EXECUTABLES: &[&str] = &["--test", "it", "--test", "sqlite", "--test", "postgres", "--"];

/// The suites in them.
const SUITES: &[&str] = &["suite::", "conformance::"];

/// What races: tests with these words in their names.
const RACES: &[&str] = &[
    "race",
    "at_once",
    "concurrency",
    "one_of_many",
    "of_two",
    "two_processes",
    "many_writers",
    "first_callers",
    "ledger_model",
];

/// Runs all tests, on SQLite and in the hardest set-up of PostgreSQL.
pub(super) fn all() -> Result<Skipped> {
    transcripts::clear()?;
    run(ALL, None)
}

/// What races, with serializable transactions.
pub(super) fn races() -> Result<Skipped> {
    run(&[ALL, EXECUTABLES, RACES].concat(), Some("serializable"))
}

pub(super) fn read_committed() -> Result<Skipped> {
    run(&[ALL, EXECUTABLES, SUITES].concat(), Some("read-committed"))
}

pub(super) fn serializable() -> Result<Skipped> {
    run(&[ALL, EXECUTABLES, SUITES].concat(), Some("serializable"))
}

/// Runs the suites on Citus, where there is one.
pub(super) fn citus() -> Result<Skipped> {
    if environment("POINTBOOK_TEST_CITUS").is_none() {
        return Ok(vec!["all of it: name a coordinator with workers in POINTBOOK_TEST_CITUS".to_owned()]);
    }
    run(&[ALL, EXECUTABLES, SUITES].concat(), Some("citus"))
}

/// Runs tests and passes their output on. No process may be left behind.
///
/// At least two tests run at a time: a single test runs on the main thread, and a transcript is named after its thread.
fn run(arguments: &[&str], setup: Option<&str>) -> Result<Skipped> {
    println!("cargo {}", arguments.join(" "));
    let mut tests = cargo(arguments);
    if threads() < 2 {
        tests.env("RUST_TEST_THREADS", "2");
    }
    tests.envs(setup.map(|setup| ("POINTBOOK_TEST_SETUP", setup)));
    let before = processes::of_tests()?;
    let status = tests.status().context("cannot run cargo")?;
    ensure!(status.success(), "`cargo {}`: {status}", arguments.join(" "));
    processes::none_is_left(&before)?;
    Ok(Skipped::new())
}

/// How many tests run at a time by default.
fn threads() -> usize {
    let given = environment("RUST_TEST_THREADS").and_then(|given| given.to_str()?.parse().ok());
    given.unwrap_or_else(|| available_parallelism().map_or(1, NonZero::get))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use xtask::operate::root;

    use super::*;

    /// A word that names no test would silently run nothing.
    #[test]
    fn every_word_of_what_races_names_a_test() {
        let facts = root::repository().join("testkit/src/conformance/mod.rs");
        let facts = fs::read_to_string(facts).unwrap();
        for word in RACES {
            assert!(facts.contains(word), "{word}");
        }
    }
}
