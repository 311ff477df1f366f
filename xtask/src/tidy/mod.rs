//! `cargo xtask tidy`: the house rules that neither the compiler nor clippy checks.
//!
//! A rule group is one file with one function from the [`Tree`] to its findings, so its tests need only a few
//! lines of text. The command builds nothing and runs only git, so it takes well under a second.

mod book;
mod circles;
mod decisions;
mod documents;
mod finding;
mod functions;
mod imports;
mod lexer;
mod links;
mod manifests;
mod migrations;
mod paths;
mod portable_sql;
mod prose;
mod ratchet;
mod rooms;
mod source;
mod sql;
mod tree;
mod words;

use std::fs;

use anyhow::{Result, bail, ensure};
use pointbook_operate::root;

use self::finding::Finding;
use self::tree::Tree;

/// Every rule group, in the order in which its findings are printed.
const RULES: &[fn(&Tree) -> Vec<Finding>] = &[
    imports::check,
    circles::check,
    decisions::check,
    rooms::check,
    manifests::check,
    words::check,
    sql::check,
    portable_sql::check,
    paths::check,
    ratchet::check,
    migrations::check,
    documents::check,
    links::check,
    prose::check,
    book::check,
];

/// Prints one line per finding on stdout. `--list ROOM` prints what `prose` counts in a room. `--lower` writes
/// smaller numbers into its list.
///
/// # Errors
/// When the files cannot be listed, or when there is a finding.
pub(crate) fn command(arguments: &[String]) -> Result<()> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] => {
            let findings = findings_here()?;
            print(&findings);
            ensure!(findings.is_empty(), "{} finding(s)", findings.len());
        }
        ["--list", room] => print(&prose::list(&here()?, room)),
        ["--lower"] => fs::write(root::repository().join(prose::LIST), prose::lowered(&here()?))?,
        _ => bail!("unknown options {words:?}; the options are --list ROOM and --lower"),
    }
    Ok(())
}

fn print(findings: &[Finding]) {
    for finding in findings {
        println!("{finding}");
    }
}

fn here() -> Result<Tree> {
    Tree::load(&root::repository())
}

/// The findings of all rules in this repository.
///
/// # Errors
/// When its files cannot be listed.
pub(crate) fn findings_here() -> Result<Vec<Finding>> {
    let tree = here()?;
    Ok(RULES.iter().flat_map(|rule| rule(&tree)).collect())
}
