//! Runs the cases of `bench/src/instructions` under callgrind, and reads its counts.

use std::fs;
use std::num::NonZero;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::{self, available_parallelism};

use anyhow::{Context, Result, bail, ensure};
use pointbook_operate::cargo::cargo;
use pointbook_operate::root::repository;

use super::baseline::Count;

/// How to install valgrind, which contains callgrind.
pub(super) const INSTALL: &str = "apt-get install valgrind, or the package of that name elsewhere";

const PACKAGE: &str = "pointbook-bench";
const PROGRAM: &str = "instructions";

/// How many processes run all cases, for the median. The cost of the allocator depends on the layout of the heap, which is
/// the same for all runs of one process.
const ROUNDS: usize = 7;

/// The function in which callgrind counts. It writes a dump after each call.
const MEASURED: &str = "instructions::measured";

/// Whether valgrind is installed.
pub(super) fn is_installed() -> bool {
    Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// The properties of the machine that counts depend on. Valgrind shows programs the same processor everywhere, so
/// libraries choose the same loops. The exception is a real processor without AVX2.
pub(super) fn machine() -> String {
    #[cfg(target_arch = "x86_64")]
    let loops = if std::arch::is_x86_feature_detected!("avx2") { " with AVX2" } else { " without AVX2" };
    #[cfg(not(target_arch = "x86_64"))]
    let loops = "";
    format!("{}{loops}", std::env::consts::ARCH)
}

/// Counts every case.
pub(super) fn count() -> Result<Vec<Count>> {
    build()?;
    let program = repository().join("target/release/examples").join(PROGRAM);
    Ok(medians(&rounds(&program)?))
}

/// Counts every case in each round. Each processor runs one round at a time: with more, the pauses of the counted program would be too
/// short for its other threads.
fn rounds(program: &Path) -> Result<Vec<Vec<Count>>> {
    let processors = available_parallelism().map_or(1, NonZero::get).min(ROUNDS);
    let some = |first: usize| (first..ROUNDS).step_by(processors).map(|_| round(program)).collect();
    let counted: Vec<Result<Vec<_>>> = thread::scope(|scope| {
        let workers: Vec<_> = (0..processors).map(|first| scope.spawn(move || some(first))).collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|_| bail!("a round panicked")))
            .collect()
    });
    Ok(counted.into_iter().collect::<Result<Vec<_>>>()?.concat())
}

/// Counts every case once. Rounds run at the same time, so each has its own store.
fn round(program: &Path) -> Result<Vec<Count>> {
    let folder = tempfile::tempdir()?;
    let folder = folder.path();
    run(Command::new(program).arg("fill").arg(folder))?;
    let mut callgrind = Command::new("valgrind");
    callgrind.args(["--tool=callgrind", "--quiet", "--collect-atstart=no"]);
    callgrind.arg(format!("--toggle-collect={MEASURED}")).arg(format!("--dump-after={MEASURED}"));
    callgrind.arg(format!("--callgrind-out-file={}", folder.join("dump").display()));
    let printed = run(callgrind.arg(program).arg("count").arg(folder))?;
    cases(&printed)?.map(|(place, case)| case.count(total(&dump(folder, place)?)?)).collect()
}

/// Each case with the median of its counts. Every round has the same cases.
fn medians(rounds: &[Vec<Count>]) -> Vec<Count> {
    let median = |(place, count): (usize, &Count)| {
        let mut all: Vec<u64> =
            rounds.iter().filter_map(|round| Some(round.get(place)?.instructions)).collect();
        all.sort_unstable();
        Count { instructions: all.get(all.len() / 2).copied().unwrap_or_default(), ..count.clone() }
    };
    rounds.first().into_iter().flatten().enumerate().map(median).collect()
}

/// Builds the program, which is an example because only examples may use these rooms.
fn build() -> Result<()> {
    let mut cargo =
        cargo(&["build", "--release", "--locked", "--quiet", "--package", PACKAGE, "--example", PROGRAM]);
    ensure!(cargo.status()?.success(), "the release build of {PROGRAM} failed");
    Ok(())
}

/// Runs a program and returns its output. Shows its stderr when it fails.
fn run(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).output().context("cannot run valgrind")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{PROGRAM} ended with {}\n{said}", output.status);
    Ok(String::from_utf8(output.stdout)?)
}

/// A case that has run.
#[derive(Debug, PartialEq)]
struct Case<'p> {
    name: &'p str,
    runs: u64,
}

impl<'p> Case<'p> {
    /// Reads a line of the program: `RUNS<tab>NAME`.
    fn parse(line: &'p str) -> Option<Self> {
        let (runs, name) = line.split_once('\t')?;
        Some(Self { name, runs: runs.parse().ok().filter(|runs| *runs > 0)? })
    }

    /// The total as a count per run.
    fn count(&self, total: u64) -> Result<Count> {
        ensure!(total > 0, "{}: callgrind counted nothing: does {MEASURED} still exist?", self.name);
        Ok(Count { name: self.name.to_owned(), instructions: total.div_ceil(self.runs) })
    }
}

/// The cases that the program has run, each with the number of its dump.
fn cases(printed: &str) -> Result<impl Iterator<Item = (usize, Case<'_>)>> {
    let cases: Option<Vec<_>> = printed.lines().map(Case::parse).collect();
    let cases = cases.with_context(|| format!("unexpected output of {PROGRAM}:\n{printed}"))?;
    ensure!(!cases.is_empty(), "{PROGRAM} has no cases");
    Ok((1..).zip(cases))
}

fn dump(folder: &Path, number: usize) -> Result<String> {
    let file = folder.join(format!("dump.{number}"));
    fs::read_to_string(file).with_context(|| format!("callgrind has written no dump {number}"))
}

/// The instructions in one of callgrind's dumps.
fn total(dump: &str) -> Result<u64> {
    let value = |name: &str| dump.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    if value("events:") != Some("Ir") {
        bail!("callgrind did not count instructions, but {:?}", value("events:"));
    }
    Ok(value("totals:").context("a dump of callgrind without a total")?.parse()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DUMP: &str = "# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\ncmd: instructions count\npart: 1\n\n\
                        desc: Trigger: --dump-after=instructions::measured\n\npositions: line\nevents: Ir\n\
                        summary: 497303\n\nfl=(1) main.rs\nfn=(1) instructions::measured\n0 7\n\ntotals: 497303\n";

    #[test]
    fn dump_has_the_number_of_instructions() {
        assert_eq!(total(DUMP).unwrap(), 497_303);
        assert!(total(&DUMP.replace("totals:", "subtotals:")).is_err());
        assert!(total(&DUMP.replace("Ir\n", "Ir Dr Dw\n")).is_err());
    }

    #[test]
    fn cases_have_the_order_of_their_dumps() {
        let found: Vec<_> = cases("200\tlist, page 1\n50\tdetail\n").unwrap().collect();
        let case = |name, runs| Case { name, runs };
        assert_eq!(found, [(1, case("list, page 1", 200)), (2, case("detail", 50))]);
        for wrong in ["", "list\n", "0\tlist\n", "many\tlist\n"] {
            assert!(cases(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn case_has_the_median_of_its_rounds() {
        let round = |list, detail| {
            [("list", list), ("detail", detail)]
                .map(|(name, instructions)| Count { name: name.to_owned(), instructions })
                .to_vec()
        };
        assert_eq!(medians(&[round(7, 30), round(9, 10), round(8, 20)]), round(8, 20));
    }

    #[test]
    fn count_is_per_run_and_never_zero() {
        let case = Case { name: "detail", runs: 50 };
        assert_eq!(case.count(5_001).unwrap().instructions, 101);
        assert!(case.count(0).unwrap_err().to_string().contains("instructions::measured"));
    }
}
