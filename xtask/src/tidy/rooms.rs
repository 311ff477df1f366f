//! No room grows beyond the size that one reader can overview.

use super::finding::Finding;
use super::source::Source;
use super::tree::{Tree, is_below};

const RULE: &str = "rooms";

/// The most lines of a crate without its tests. Comments and blank lines count.
const LINES_MAX: usize = 8_000;

/// How far an exception may exceed the real number, so that not every change must touch it.
const SLACK_LINES: usize = 200;

/// Larger rooms by folder and lines. The numbers may only shrink.
const EXCEPTIONS: &[(&str, usize)] = &[];

/// Only tests use it, so all of it counts as tests.
const TESTKIT: &str = "crates/testkit";

/// Checks each crate.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    check_but(tree, EXCEPTIONS)
}

fn check_but(tree: &Tree, exceptions: &[(&str, usize)]) -> Vec<Finding> {
    let rooms = tree.crate_folders().filter(|folder| *folder != TESTKIT).filter_map(|folder| {
        let listed = exceptions.iter().find(|(listed, _)| *listed == folder).map(|(_, lines)| *lines);
        let message = complaint(lines(folder, tree.sources()), listed)?;
        Some(Finding::new(&format!("{folder}/Cargo.toml"), 1, RULE, message))
    });
    rooms.collect()
}

fn lines(folder: &str, sources: &[Source]) -> usize {
    let own = sources.iter().filter(|source| is_below(source.path(), folder));
    own.map(|source| (1..=source.code().lines().count()).filter(|&line| !source.is_test(line)).count()).sum()
}

fn complaint(lines: usize, listed: Option<usize>) -> Option<String> {
    let granted = listed.unwrap_or(LINES_MAX);
    if lines > granted {
        return Some(format!(
            "the room has {lines} lines without tests, at most {granted} are allowed: cut it"
        ));
    }
    let advice = if lines <= LINES_MAX { "remove the exception" } else { "lower the number" };
    let is_loose = listed.is_some() && (lines <= LINES_MAX || lines + SLACK_LINES < granted);
    is_loose.then(|| format!("{granted} lines are allowed, the room has only {lines}: {advice}"))
}

#[cfg(test)]
mod tests {
    use super::super::finding::printed;
    use super::*;

    fn found(code_lines: usize, exceptions: &[(&str, usize)]) -> Vec<String> {
        let text = format!("{}#[cfg(test)]\nmod tests {{\n    a();\n}}\n", "a();\n".repeat(code_lines));
        let files = [
            ("crates/a/Cargo.toml", ""),
            ("crates/a/src/b.rs", text.as_str()),
            ("crates/a/tests/c.rs", &text),
        ];
        printed(&check_but(&Tree::of(&files), exceptions))
    }

    #[test]
    fn room_above_the_limit_is_found_without_its_tests() {
        assert!(found(LINES_MAX, &[]).is_empty());
        let expected = "crates/a/Cargo.toml:1: rooms: the room has 8001 lines without tests, at most 8000 are allowed: cut it";
        assert_eq!(found(LINES_MAX + 1, &[]), [expected]);
    }

    #[test]
    fn exception_must_shrink_with_its_room() {
        let granted = [("crates/a", 9_000)];
        assert!(found(9_000, &granted).is_empty() && found(8_800, &granted).is_empty());
        assert_eq!(found(9_001, &granted).len(), 1);
        assert_eq!(found(8_799, &granted).len(), 1, "too loose");
        assert_eq!(found(LINES_MAX, &granted).len(), 1, "not needed");
    }
}
