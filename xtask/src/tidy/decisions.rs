//! Stores load and save. `domain` and `app` decide the outcome of a write, so a store does not name outcomes.

use super::finding::Finding;
use super::lexer::is_word;
use super::source::Source;
use super::tree::Tree;

const RULE: &str = "decisions";

/// The suffixes of the names of these enums.
const SUFFIXES: [&str; 2] = ["Outcome", "Refusal"];

/// Finds the names of such enums of `domain` and `app` in stores, except in their tests.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let sources = |rooms: &'static [&str]| {
        let is_in = move |source: &&Source| rooms.iter().any(|room| source.path().starts_with(room));
        tree.sources().iter().filter(is_in)
    };
    let deciding = sources(&["crates/domain/src/", "crates/app/src/"]);
    let names: Vec<&str> = deciding.flat_map(|source| enums(source.code())).collect();
    sources(&["crates/store-"]).flat_map(|source| findings(source, &names)).collect()
}

fn enums(code: &str) -> impl Iterator<Item = &str> {
    let behind = code.split("pub enum ").skip(1);
    let names = behind.filter_map(|rest| rest.split(|letter| !is_word(letter)).next());
    names.filter(|name| SUFFIXES.iter().any(|suffix| name.ends_with(suffix)))
}

fn findings(source: &Source, names: &[&str]) -> Vec<Finding> {
    let lines = source.code().lines().zip(1..).filter(|(_, line)| !source.is_test(*line));
    let found = lines.filter_map(|(text, line)| {
        let word = text.split(|letter| !is_word(letter)).find(|word| names.contains(word))?;
        let message = format!("`{word}`: stores load and save, a command of `app` decides");
        Some(Finding::new(source.path(), line, RULE, message))
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::super::finding::printed;
    use super::*;

    #[test]
    fn outcome_of_a_command_is_found_in_stores_only() {
        let files = [
            ("crates/app/src/place.rs", "pub enum PlaceOutcome {\n    Placed,\n}\n"),
            ("crates/http/src/a.rs", "use PlaceOutcome;\n"),
            ("crates/store-a/src/a.rs", "type Outcome<T> = T;\nuse app::PlaceOutcome;\n// PlaceOutcome\n"),
        ];
        let expected = "crates/store-a/src/a.rs:2: decisions: `PlaceOutcome`: stores load and save, a command of \
                        `app` decides";
        assert_eq!(printed(&check(&Tree::of(&files))), [expected]);
    }
}
