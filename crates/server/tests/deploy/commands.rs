//! All commands and variables in the files of `deploy/` exist in the program.

use std::collections::BTreeSet;
use std::path::Path;

use clap::Parser;
use pointbook_server::cli::Cli;
use pointbook_server::config::DEFAULT_FILE;
use pointbook_testkit::files::files_below;

use super::ROOT;

/// Fails unless the program accepts these arguments.
#[track_caller]
pub(crate) fn expect_command(arguments: &[&str]) {
    let parsed = Cli::try_parse_from([&["pointbook"], arguments].concat());
    assert!(parsed.is_ok(), "{arguments:?}: {}", parsed.unwrap_err());
}

/// The items of a list on one line, as in YAML, JSON and Dockerfiles: `["a", b]`.
pub(crate) fn words(list: &str) -> Vec<&str> {
    let list = list.trim().strip_prefix('[').and_then(|list| list.strip_suffix(']')).unwrap();
    list.split(',').map(|word| word.trim().trim_matches('"')).collect()
}

#[test]
fn every_variable_is_read_by_the_program() {
    let known = variables_of_the_program();
    let (mut seen, mut files) = (BTreeSet::new(), 0);
    for file in files_below(&Path::new(ROOT).join("deploy")) {
        let text = std::fs::read_to_string(&file).unwrap();
        for name in variables(&text) {
            assert!(known.contains(name), "{}: {name}", file.display());
            seen.insert(name.to_owned());
        }
        files += 1;
    }
    assert!(files >= 20 && seen.len() >= 6, "{files} files, {seen:?}");
}

fn variables_of_the_program() -> BTreeSet<String> {
    let mut known = BTreeSet::from(
        ["POINTBOOK_DATABASE", "POINTBOOK_DATABASE_FILE", "POINTBOOK_CONFIG"].map(str::to_owned),
    );
    let mut section = String::new();
    for line in DEFAULT_FILE.lines().filter(|line| !line.starts_with('#')) {
        if let Some((key, _)) = line.split_once(" = ") {
            known.insert(format!("POINTBOOK_{section}_{}", key.to_uppercase()));
        } else {
            section = line.trim_matches(['[', ']']).to_uppercase();
        }
    }
    known
}

/// Every word of a text that looks like one of our variables.
fn variables(text: &str) -> impl Iterator<Item = &str> {
    let is_mark = |found: char| !(found.is_ascii_uppercase() || found == '_');
    text.split(is_mark).filter(|word| word.strip_prefix("POINTBOOK_").is_some_and(|rest| !rest.is_empty()))
}

#[test]
fn words_of_a_list_are_without_their_marks() {
    assert_eq!(words(r#" ["a b", c] "#), ["a b", "c"]);
}
