//! `cargo xtask dist [--target TRIPLE]...`: the files of a release, in `target/dist`.
//!
//! cargo, `tar` and three cargo commands of others do the work (`docs/releasing.md`). The command names what each of them reads
//! and writes, and tries the program of every archive.

mod files;
mod target;
mod trial;

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use xtask::operate::ci::in_ci;
use xtask::operate::root;

use self::files::{ABOUT, CYCLONEDX, DEB, SHARED_LIBRARIES};
use self::target::{HOST, TARGETS, Target};
use crate::check::{Skipped, step};
use crate::tools::{emptied, target as target_folder};

/// The version of the release. All packages of the workspace have the same version.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// One run of the command.
struct Release {
    host: &'static Target,
    /// Where the files of the release are written.
    folder: PathBuf,
    /// When the commit was made, in seconds. All files in an archive have that time, so that the same commit gives the same bytes.
    committed_at: String,
    /// Whether a missing tool is an error.
    strict: bool,
}

/// Writes the files of a release.
///
/// # Errors
/// When any step fails. In CI, and when `--target` names a target, also when a tool is missing.
pub(crate) fn command(words: &[String]) -> Result<()> {
    let host = target::host()?;
    let (targets, is_named) = parse(words, host)?;
    let folder = target_folder()?.join("dist");
    emptied(&folder)?;
    let committed_at = git(&["log", "-1", "--format=%ct"])?.trim().to_owned();
    let release = Release { host, folder, committed_at, strict: is_named || in_ci() };
    for target in targets {
        step(target.triple, || {
            release.with(target.triple, target.missing(host)?, || release.target(target))
        })?;
    }
    step("chart", || release.chart())?;
    step("sbom", || release.with("list of components", files::missing(CYCLONEDX), || release.sbom()))?;
    step("checksums", || release.checksums())?;
    println!("dist: version {VERSION} is in {}", release.folder.display());
    Ok(())
}

/// The targets, and whether a word names one of them. The machine's own target is the first, since its program writes the
/// manual pages.
fn parse(words: &[String], host: &Target) -> Result<(Vec<&'static Target>, bool)> {
    let mut named = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        ensure!(word == "--target", "unknown option {word:?}; the only option is --target TRIPLE");
        let triple = rest.next().context("--target requires a value, such as host")?;
        if triple != HOST {
            named.push(target::find(triple)?.triple);
        }
    }
    let is_wanted = |triple| words.is_empty() || triple == host.triple || named.contains(&triple);
    let mut targets: Vec<_> = TARGETS.iter().filter(|target| is_wanted(target.triple)).collect();
    targets.sort_by_key(|target| target.triple != host.triple);
    Ok((targets, !named.is_empty()))
}

impl Release {
    /// Makes a part of the release, or says what it needs.
    fn with(
        &self,
        part: &str,
        missing: Option<String>,
        make: impl FnOnce() -> Result<Skipped>,
    ) -> Result<Skipped> {
        match missing {
            None => make(),
            Some(missing) if self.strict => bail!("no {part}: {missing}"),
            Some(missing) => Ok(vec![format!("no {part}: {missing}")]),
        }
    }

    /// Builds one target, packs it, and tries the archive.
    fn target(&self, target: &Target) -> Result<Skipped> {
        let binary = target.build(self.host)?;
        let mut skipped = self.payload(target, &binary)?;
        let name = format!("pointbook-{VERSION}-{}", target.triple);
        let archive = self.folder.join(format!("{name}.tar.gz"));
        self.pack(&files::beside(&binary), &name, &archive)?;
        skipped.extend(trial::run(target, self.host, &archive, &name)?);
        if let Some(architecture) = target.debian {
            // A package without the notices could not be passed on.
            let missing = [ABOUT, DEB, SHARED_LIBRARIES].into_iter().find_map(files::missing);
            skipped
                .extend(self.with("Debian package", missing, || self.debian_package(target, architecture))?);
        }
        Ok(skipped)
    }
}

/// What a program prints that runs in the repository.
fn printed(program: &str, arguments: &[&str]) -> Result<String> {
    let mut command = Command::new(program);
    let output = command.args(arguments).current_dir(root::repository()).output();
    let output = output.with_context(|| format!("cannot run {program}"))?;
    let (status, errors) = (output.status, String::from_utf8_lossy(&output.stderr));
    ensure!(status.success(), "{program} ended with {status}: {}", errors.trim());
    Ok(String::from_utf8(output.stdout)?)
}

/// What git prints. Another user may own the repository.
fn git(arguments: &[&str]) -> Result<String> {
    printed("git", &[&["-c", "safe.directory=*"], arguments].concat())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn release(folder: PathBuf, strict: bool) -> Release {
        Release { host: &TARGETS[0], folder, committed_at: "1700000000".to_owned(), strict }
    }

    #[test]
    fn own_target_is_the_first_one_and_all_targets_are_the_default() {
        let (host, other) = ("aarch64-unknown-linux-gnu", "x86_64-unknown-linux-musl");
        let parsed = |line: &str| {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            let (targets, is_named) = parse(&words, target::find(host)?)?;
            anyhow::Ok((targets.iter().map(|target| target.triple).collect::<Vec<_>>(), is_named))
        };
        assert_eq!(parsed("").unwrap(), (vec![host, TARGETS[0].triple, other], false));
        assert_eq!(parsed("--target host").unwrap(), (vec![host], false));
        assert_eq!(parsed(&format!("--target {other}")).unwrap(), (vec![host, other], true));
        for (line, told) in [("--all", "--target"), ("--target", "a value"), ("--target mips", other)] {
            assert!(parsed(line).unwrap_err().to_string().contains(told), "{line}");
        }
    }

    #[test]
    fn missing_tool_is_skipped_unless_it_was_asked_for() {
        let with = |strict, missing| release(PathBuf::new(), strict).with("part", missing, || bail!("made"));
        let missing = || Some("tool is missing".to_owned());
        assert_eq!(with(false, missing()).unwrap(), ["no part: tool is missing"]);
        assert_eq!(with(true, missing()).unwrap_err().to_string(), "no part: tool is missing");
        assert_eq!(with(false, None).unwrap_err().to_string(), "made");
    }

    #[test]
    fn chart_has_the_version_of_the_program_and_the_same_bytes_each_time() {
        let chart = include_str!("../../../deploy/helm/pointbook/Chart.yaml");
        assert!(chart.contains(&format!("\nversion: {VERSION}\nappVersion: {VERSION}\n")), "{chart}");
        let sums = || {
            let folder = tempfile::tempdir().unwrap();
            let release = release(folder.path().to_owned(), true);
            release.chart().and_then(|_| release.checksums()).unwrap();
            fs::read_to_string(folder.path().join("SHA256SUMS")).unwrap()
        };
        assert!(sums().ends_with(&format!("  pointbook-{VERSION}.tgz\n")), "{}", sums());
        assert_eq!(sums(), sums());
    }
}
