//! `cargo benchmark --instructions [--update|--check]`: callgrind counts the instructions of hot functions, and the command
//! compares them with the committed counts. Noise of the machine does not hide a regression.

mod baseline;
mod callgrind;
mod check;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use pointbook_operate::root::repository;

use self::baseline::{Baseline, Differences};
use self::callgrind::{INSTALL, is_installed};

/// The path of the baseline in the repository.
const FILE: &str = "bench/instructions.txt";

/// The command that updates the baseline, for messages.
const UPDATE: &str = "cargo benchmark --instructions --update";

/// The result of a comparison with the baseline.
enum Compared {
    /// The differences. Empty when all counts are within their bounds.
    Differences(Differences),
    /// The reason why nothing was compared.
    Skipped(String),
}

/// Counts and shows every case beside the baseline, or writes a new one.
///
/// # Errors
/// When a case takes more than its baseline or much less, is new or missing, or cannot be counted.
pub(crate) fn command(words: &[String]) -> Result<()> {
    let update = match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => false,
        ["--update"] => true,
        ["--check"] => return check::run(),
        _ => bail!("--instructions allows only --update or --check beside it"),
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
        bail!("counts differ from {FILE}:\n{}", worse.join("\n"));
    }
    Ok(())
}

/// Counts every case and compares it with the baseline.
///
/// # Errors
/// When a case cannot be counted, or the baseline is missing.
fn compare() -> Result<Compared> {
    let baseline = read()?;
    if let Some(reason) = not_comparable(&baseline) {
        return Ok(Compared::Skipped(reason));
    }
    Ok(Compared::Differences(baseline.differences(&callgrind::count()?)))
}

/// The reason why counts of this machine cannot be compared with the baseline, if any.
fn not_comparable(baseline: &Baseline) -> Option<String> {
    let (here, there) = (callgrind::machine(), &baseline.machine);
    (here != *there).then(|| format!("{FILE} has counts of {there}, and this is {here}"))
}

fn read() -> Result<Baseline> {
    let text = fs::read_to_string(path()).with_context(|| format!("cannot read {FILE}: {UPDATE}"))?;
    Baseline::parse(&text).with_context(|| format!("cannot parse {FILE}"))
}

fn path() -> PathBuf {
    repository().join(FILE)
}
