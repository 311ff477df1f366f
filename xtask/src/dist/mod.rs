//! `cargo xtask dist [--target TRIPLE]...`: the files of a release, in `target/dist`.
//!
//! Archives and Debian packages for each target, the packed Helm chart, the list of components (SBOM), and the
//! SHA-256 of every file. Without `--target`, a target that this machine cannot build is skipped, in a line that
//! says what is missing. With `--target` that is an error. `--target host` is this machine only. The command unpacks every
//! archive and tests its program.

mod archive;
mod debian;
mod notices;
mod packages;
mod payload;
mod sbom;
mod target;
mod trial;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use pointbook_operate::root;

use self::packages::Packages;
use self::payload::Payload;
use self::target::{HOST, Target};
use crate::check::{Skipped, quietly, step};

/// The version of the release. All packages of the workspace have the same version.
const VERSION: &str = env!("CARGO_PKG_VERSION");

const CHECKSUMS: &str = "SHA256SUMS";

/// Writes the files of a release.
///
/// # Errors
/// When a target of `--target` cannot be built, or when any step fails.
pub(crate) fn command(words: &[String]) -> Result<()> {
    let host = target::host()?;
    let requested = parse(words, &host)?;
    let folder = empty_folder("dist")?;
    step("build", || {
        let packages = Packages::of(&host)?;
        let payload = Payload::write(&host.build()?, &packages, &empty_folder("dist-payload")?)?;
        sbom::write(&packages, &folder)?;
        release(&host, &host, &payload, &folder)
    })?;
    let payload = Payload::of(&repository_target()?.join("dist-payload"));
    for target in others(&requested, &host) {
        step(target.triple, || match (target.missing()?, requested.is_empty()) {
            (None, _) => release(target, &host, &payload, &folder),
            (Some(missing), true) => Ok(vec![format!("{}: {missing}", target.triple)]),
            (Some(missing), false) => bail!("{} cannot be built here: {missing}", target.triple),
        })?;
    }
    step("chart", || archive::chart(&folder).map(|()| Skipped::new()))?;
    step("checksums", || checksums(&folder).map(|()| Skipped::new()))?;
    println!("dist: version {VERSION} is in {}", folder.display());
    Ok(())
}

/// The targets of `--target`; empty for all.
fn parse(words: &[String], host: &Target) -> Result<Vec<&'static Target>> {
    let mut requested = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        ensure!(word == "--target", "unknown option {word:?}; the only option is --target TRIPLE");
        let triple = words.next().context("--target requires a value, such as host")?;
        let triple = if triple == HOST { host.triple } else { triple };
        requested.push(target::find(triple)?);
    }
    Ok(requested)
}

/// The targets except this machine, which is always built first because its program writes the manual pages.
fn others<'a>(
    requested: &'a [&'static Target],
    host: &'a Target,
) -> impl Iterator<Item = &'static Target> + 'a {
    let wanted =
        |target: &&Target| requested.is_empty() || requested.iter().any(|one| one.triple == target.triple);
    target::TARGETS.iter().filter(move |target| wanted(target) && target.triple != host.triple)
}

/// Builds one target, packs it, and tests the archive.
fn release(target: &Target, host: &Target, payload: &Payload, folder: &Path) -> Result<Skipped> {
    let binary = target.build()?;
    archive::write(target, &binary, payload, folder)?;
    let mut skipped = trial::run(target, host, &archive::path(folder, target))?;
    if let Some(architecture) = target.debian {
        skipped.extend(debian::write(architecture, &binary, payload, folder)?);
    }
    Ok(skipped)
}

/// The SHA-256 of every file, in the form that `sha256sum --check` reads.
fn checksums(folder: &Path) -> Result<()> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.push(entry?.file_name());
    }
    names.sort();
    let output = Command::new("sha256sum").args(&names).current_dir(folder).output()?;
    ensure!(output.status.success(), "sha256sum: {}", String::from_utf8_lossy(&output.stderr));
    fs::write(folder.join(CHECKSUMS), output.stdout)?;
    let mut check = Command::new("sha256sum");
    check.args(["--check", "--quiet", CHECKSUMS]).current_dir(folder);
    quietly(check).map(drop)
}

/// A folder below `target` that holds nothing from an earlier run.
fn empty_folder(name: &str) -> Result<PathBuf> {
    let folder = repository_target()?.join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    Ok(folder)
}

fn repository_target() -> Result<PathBuf> {
    crate::tools::target()
}

/// A property of the released commit from `git log`, such as `%ct`, its time in seconds. All files of an archive have
/// that time, so that the same commit gives the same archive.
fn commit(format: &str) -> Result<String> {
    let mut git = Command::new("git");
    git.args(["-c", "safe.directory=*", "log", "-1"]).arg(format!("--format={format}"));
    let output = git.current_dir(root::repository()).output().context("cannot run git")?;
    ensure!(output.status.success(), "git log: {}", String::from_utf8_lossy(&output.stderr).trim());
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn all_targets_are_the_default_and_host_is_this_machine() {
        let host = target::find("x86_64-unknown-linux-gnu").unwrap();
        assert_eq!(others(&parse(&[], host).unwrap(), host).count(), target::TARGETS.len() - 1);
        let requested = parse(&words("--target host"), host).unwrap();
        assert_eq!(others(&requested, host).count(), 0);
        let requested = parse(&words("--target host --target x86_64-unknown-linux-musl"), host).unwrap();
        let named: Vec<&str> = others(&requested, host).map(|target| target.triple).collect();
        assert_eq!(named, ["x86_64-unknown-linux-musl"]);
    }

    #[test]
    fn unknown_words_and_targets_are_refused_with_what_is_allowed() {
        let host = target::find("x86_64-unknown-linux-gnu").unwrap();
        let refusal = |line: &str| parse(&words(line), host).err().unwrap().to_string();
        assert!(refusal("--all").contains("--target TRIPLE"));
        assert!(refusal("--target").contains("requires a value"));
        assert!(refusal("--target mips").contains("x86_64-unknown-linux-musl"));
    }

    #[test]
    fn checksums_name_every_file() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("b"), "").unwrap();
        fs::write(folder.path().join("a"), "x").unwrap();
        checksums(folder.path()).unwrap();
        let sums = fs::read_to_string(folder.path().join(CHECKSUMS)).unwrap();
        let of_nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b";
        assert_eq!(sums.lines().count(), 2);
        assert_eq!(sums.lines().last(), Some(of_nothing));
    }
}
