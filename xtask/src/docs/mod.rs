//! `cargo xtask docs`: builds the book of the documents with mdBook and follows every link of the built pages.
//!
//! The book is `docs/` and the documents outside of it that `docs/SUMMARY.md` lists. [`stage`] copies both below the
//! target folder, so that mdBook sees one folder; [`built`] then reads the pages that mdBook wrote.

mod built;
mod stage;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use xtask::operate::ci::in_ci;
use xtask::operate::root;

use crate::check::{Skipped, quietly};
use crate::tools::{emptied, target};

/// The supported version of mdBook. `.ci/install` installs it.
const VERSION: &str = "0.5.4";

/// Builds the book and prints its path.
///
/// # Errors
/// When mdBook fails or, with `CI=true`, is missing, or when a link is broken.
pub(crate) fn command(_arguments: &[String]) -> Result<()> {
    match run()?.first() {
        Some(skipped) => println!("skipped: {skipped}"),
        None => println!("{}", output()?.join("index.html").display()),
    }
    Ok(())
}

/// The same as a step of `cargo xtask check`.
///
/// # Errors
/// As [`command`].
pub(crate) fn run() -> Result<Skipped> {
    let Some(mdbook) = installed()? else {
        return without_mdbook(in_ci());
    };
    let source = folder()?.join("source");
    emptied(&source)?;
    stage::copy(&root::repository(), &source)?;
    build(&mdbook, &source)?;
    let broken = built::broken_links(&output()?)?;
    for link in &broken {
        eprintln!("{link}");
    }
    ensure!(broken.is_empty(), "{} broken link(s) in the book", broken.len());
    Ok(Skipped::new())
}

fn build(mdbook: &Path, source: &Path) -> Result<()> {
    emptied(&output()?)?;
    let mut command = Command::new(mdbook);
    command.arg("build").arg("--dest-dir").arg(output()?).arg(source);
    quietly(command).context("mdbook build").map(drop)
}

fn folder() -> Result<PathBuf> {
    Ok(target()?.join("book"))
}

/// The folder of the built pages.
fn output() -> Result<PathBuf> {
    Ok(folder()?.join("html"))
}

/// mdBook from the `PATH`, or from the folder of tools below the target folder.
fn installed() -> Result<Option<PathBuf>> {
    let candidates = [PathBuf::from("mdbook"), target()?.join("tools/bin/mdbook")];
    let runs = |program: &PathBuf| {
        Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
    };
    Ok(candidates.into_iter().find(runs))
}

/// A missing mdBook is skipped on a developer's machine and an error in CI.
fn without_mdbook(in_ci: bool) -> Result<Skipped> {
    let install =
        format!("cargo install mdbook --locked --version {VERSION} --no-default-features --features search");
    if in_ci {
        bail!("mdbook is missing: {install}");
    }
    Ok(vec![format!("the book, mdbook is missing: {install}")])
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn missing_mdbook_fails_in_ci_only() {
        assert!(without_mdbook(true).is_err());
        let skipped = without_mdbook(false).unwrap();
        assert!(skipped[0].contains("cargo install mdbook --locked --version"), "{skipped:?}");
    }

    #[test]
    fn ci_installs_the_version_that_is_asked_for() {
        let ci = fs::read_to_string(root::repository().join(".ci/install")).unwrap();
        let install = without_mdbook(false).unwrap().remove(0);
        let (_, install) = install.split_once(": ").unwrap();
        assert!(ci.contains(install), "{install}");
    }
}
