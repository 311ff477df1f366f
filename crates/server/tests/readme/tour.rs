//! Runs the tour of `docs/tour.md` and the short tour of the README from beginning to end.

use std::process::Command;

use super::document::{Block, blocks};
use super::expectation::mismatch;
use super::session::Session;

/// The README, which visitors read first.
const README: &str = include_str!("../../../../README.md");

/// The section of the README with the short tour.
const SHORT_TOUR: &str = "## A tour in ten commands";

/// The maximum number of lines of the README.
const README_LINES_MAX: usize = 130;

/// The long tour.
pub(crate) const TOUR: &str = include_str!("../../../../docs/tour.md");

/// The section of the long tour that needs a PostgreSQL server.
pub(crate) const SECOND_STEP: &str = "## When one machine is not enough";

#[test]
fn tour_shows_the_real_output() {
    let tour: Vec<Block<'_>> =
        blocks(TOUR).into_iter().filter(|block| block.section != SECOND_STEP).collect();
    type_tour("docs/tour.md", &tour, 10);
}

#[test]
fn short_tour_shows_the_real_output() {
    let tour: Vec<Block<'_>> =
        blocks(README).into_iter().filter(|block| block.section == SHORT_TOUR).collect();
    type_tour("README.md", &tour, 3);
    let lines = tour.iter().filter(|block| block.language == "sh").flat_map(|block| block.text.lines());
    let commands = lines.filter(|line| line.contains("curl ") || line.starts_with("cargo ")).count();
    assert_eq!(commands, 10, "the heading says how many");
}

#[test]
fn the_readme_is_short() {
    let lines = README.lines().count();
    assert!(lines <= README_LINES_MAX, "{lines} lines, at most {README_LINES_MAX}: move a part into docs/");
}

/// Runs a tour and compares each output with the output in the tour.
fn type_tour(name: &str, tour: &[Block<'_>], outputs_min: usize) {
    if !shell_is_there() {
        return;
    }
    let mut session = Session::start();
    let (mut printed, mut compared) = (String::new(), 0);
    for block in tour {
        if block.language == "sh" {
            printed = session.run(block.text);
            continue;
        }
        assert!(block.follows, "{name}:{}: output without commands above it", block.line);
        let wrong = mismatch(block, &printed);
        assert!(wrong.is_none(), "{name}:{}: {}", block.line, wrong.unwrap_or_default());
        compared += 1;
    }
    let typed = tour.iter().filter(|block| block.language == "sh").count();
    assert!(compared >= outputs_min && compared == typed, "{typed} times typed, {compared} outputs");
}

#[test]
fn back_office_part_can_be_repeated() {
    if !shell_is_there() {
        return;
    }
    let office: Vec<Block<'_>> = blocks(TOUR)
        .into_iter()
        .filter(|block| block.language == "sh" && block.text.contains("$API"))
        .collect();
    let mut session = Session::start();
    session.run("cargo run --release -- demo");
    let mut play = || office.iter().map(|block| session.run(block.text)).collect::<String>();
    let (first, again) = (play(), play());
    let count = |printed: &str, status: &str| printed.lines().filter(|line| line.ends_with(status)).count();
    assert_eq!((count(&first, " 201"), count(&first, " 200")), (1, 1), "{first}");
    assert_eq!((count(&again, " 201"), count(&again, " 200")), (0, 2), "{again}");
    assert!(again.contains("5 orders, 78 products, ") && again.contains(" 0 differences"), "{again}");
}

#[test]
fn readme_begins_with_the_two_commands() {
    assert_eq!(blocks(README)[0].text, "cargo run --release -- demo\ncargo test --workspace");
}

/// Whether this machine has the programs of the tour.
pub(crate) fn shell_is_there() -> bool {
    ["bash", "curl", "jq"].into_iter().all(is_installed)
}

#[expect(clippy::disallowed_methods, reason = "only a developer's machine may go without these programs")]
fn is_installed(program: &str) -> bool {
    let is_installed = Command::new(program).arg("--version").output().is_ok();
    assert!(is_installed || std::env::var("CI").as_deref() != Ok("true"), "{program} is not installed");
    if !is_installed {
        eprintln!("skipped: {program} is not installed");
    }
    is_installed
}
