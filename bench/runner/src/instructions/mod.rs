//! `cargo benchmark --instructions [--update|--check]`: how many instructions the hot functions take, counted by callgrind
//! and compared with what is committed. No noise of the machine hides a regression from that.

mod baseline;
mod callgrind;
mod check;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use pointbook_operate::root::repository;

use self::baseline::{Baseline, Differences};
use self::callgrind::{INSTALL, is_installed};

/// Where the baseline is, below the repository.
const FILE: &str = "bench/instructions.txt";

/// What is said beside a case that differs, or is new.
const UPDATE: &str = "cargo benchmark --instructions --update";

/// What a comparison with the baseline came to.
enum Compared {
    /// What differs; nothing when all is as it was.
    Differences(Differences),
    /// Nothing was compared, and why.
    Skipped(String),
}

/// Counts and shows every case beside the baseline, or writes a new one.
///
/// # Errors
/// When a case takes more than the baseline says, or much less, or is new or gone, or cannot be counted.
pub(crate) fn command(words: &[String]) -> Result<()> {
    let update = match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => false,
        ["--update"] => true,
        ["--check"] => return check::run(),
        _ => bail!("--instructions takes nothing beside it but --update or --check"),
    };
    if !is_installed() {
        bail!("valgrind is missing: {INSTALL}");
    }
    let counts = callgrind::count()?;
    if update {
        let baseline = Baseline { machine: callgrind::machine(), counts };
        return fs::write(path(), baseline.to_string()).with_context(|| format!("cannot write {FILE}"));
    }
    let baseline = read()?;
    print!("{}", baseline.table(&counts));
    if let Some(reason) = not_comparable(&baseline) {
        bail!("{reason}");
    }
    let Differences { worse, cheaper } = baseline.differences(&counts);
    for line in cheaper {
        println!("{line}");
    }
    if !worse.is_empty() {
        bail!("not as in {FILE}:\n{}", worse.join("\n"));
    }
    Ok(())
}

/// Counts every case and compares it with the baseline.
///
/// # Errors
/// When a case cannot be counted, or there is no baseline.
fn compare() -> Result<Compared> {
    let baseline = read()?;
    if let Some(reason) = not_comparable(&baseline) {
        return Ok(Compared::Skipped(reason));
    }
    Ok(Compared::Differences(baseline.differences(&callgrind::count()?)))
}

/// Why counts of this machine say nothing beside the baseline, if so.
fn not_comparable(baseline: &Baseline) -> Option<String> {
    let (here, there) = (callgrind::machine(), &baseline.machine);
    (here != *there).then(|| format!("{FILE} has counts of {there}, and this is {here}"))
}

fn read() -> Result<Baseline> {
    let text = fs::read_to_string(path()).with_context(|| format!("cannot read {FILE}: {UPDATE}"))?;
    Baseline::parse(&text).with_context(|| format!("cannot make sense of {FILE}"))
}

fn path() -> PathBuf {
    repository().join(FILE)
}
