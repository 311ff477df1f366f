//! cargo-deny checks licences, sources, duplicates and known vulnerabilities of our dependencies.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use xtask::operate::cargo::cargo;
use xtask::operate::ci::in_ci;
use xtask::operate::root;

use super::Skipped;
use super::cargo::quietly;

/// The command that installs cargo-deny.
const INSTALL: &str = "cargo install cargo-deny --locked";

/// The advisory database as an archive, beside the repository, for machines that cannot fetch it.
const ARCHIVE: &str = "../shared/advisory-db.tar.gz";

/// Where `deny.toml` looks for databases, and the name that cargo-deny gives to its default one.
const DATABASE: &str = "target/advisory-db/advisory-db-3157b0e258782691";

/// Runs every check that this machine can run.
pub(super) fn run() -> Result<Skipped> {
    if !is_installed() {
        return without_cargo_deny(in_ci());
    }
    quietly(cargo(&["deny", "--locked", "check", "bans", "licenses", "sources"]))?;
    advisories(&root::repository())
}

fn is_installed() -> bool {
    cargo(&["deny", "--version"]).output().is_ok_and(|output| output.status.success())
}

/// A missing cargo-deny is skipped on a developer's machine and an error in CI.
fn without_cargo_deny(in_ci: bool) -> Result<Skipped> {
    if in_ci {
        bail!("cargo-deny is missing: {INSTALL}");
    }
    Ok(vec![format!("all of it, cargo-deny is missing: {INSTALL}")])
}

fn advisories(repository: &Path) -> Result<Skipped> {
    let archive = repository.join(ARCHIVE);
    if !archive.exists() {
        return Ok(vec![format!(
            "advisories, {ARCHIVE} is missing: with a network, run cargo deny check advisories"
        )]);
    }
    unpack(&archive, &repository.join(DATABASE)).context("cannot unpack the advisory database")?;
    quietly(cargo(&["deny", "--locked", "--offline", "check", "advisories"]))
}

/// Lays the database out as cargo-deny would fetch it: a git repository with one commit. Each run creates it again, so
/// that files of an older archive never hide a newer one.
fn unpack(archive: &Path, database: &Path) -> Result<()> {
    if database.exists() {
        fs::remove_dir_all(database)?;
    }
    fs::create_dir_all(database)?;
    let mut tar = Command::new("tar");
    tar.arg("-xzf").arg(archive).arg("-C").arg(database);
    quietly(tar)?;
    for arguments in GIT_STEPS {
        let mut git = Command::new("git");
        git.args(*arguments).current_dir(database);
        quietly(git)?;
    }
    Ok(())
}

/// The commit needs an author, which a machine without a user does not have.
const GIT_STEPS: &[&[&str]] = &[
    &["init", "--quiet"],
    &["add", "--all"],
    &[
        "-c",
        "user.name=xtask",
        "-c",
        "user.email=xtask@localhost",
        "-c",
        "commit.gpgsign=false",
        "commit",
        "--quiet",
        "--message=Unpack the advisory database",
    ],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_cargo_deny_fails_in_ci_only() {
        assert!(without_cargo_deny(true).is_err());
        let skipped = without_cargo_deny(false).unwrap();
        assert_eq!(skipped, ["all of it, cargo-deny is missing: cargo install cargo-deny --locked"]);
    }
}
