//! `cargo benchmark --instructions`: callgrind counts the instructions of the cases of `bench/examples/instructions`, and
//! the counts are compared with the committed ones. Noise of the machine does not hide a regression.
//!
//! It is ours because the cost of the allocator depends on the layout of the heap, which is the same for all runs of one
//! process: a count is the median of several processes. `gungraun` counts in one process, needs a second program of the same
//! version, and keeps its baselines as files of callgrind in `target`.

use std::fmt::Write as _;
use std::num::NonZero;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::{self, available_parallelism};
use std::{fs, iter};

use anyhow::{Context, Result, bail, ensure};
use xtask::operate::cargo::cargo;
use xtask::operate::ci::in_ci;
use xtask::operate::root::repository;

/// The path of the baseline in the repository.
const BASELINE: &str = "bench/instructions.txt";
/// The first line of the baseline that is no comment.
const MACHINE: &str = "machine: ";
const UPDATE: &str = "cargo benchmark --instructions --update";
const PROGRAM: &str = "instructions";
/// The function in which callgrind counts. It writes a dump after each call.
const MEASURED: &str = "instructions::measured";
/// How many processes run all cases, for the median.
const ROUNDS: usize = 7;
/// How far a count may differ from its baseline, in percent of it.
const TOLERANCE_PERCENT: u64 = 5;
/// How far below its baseline a count may be. A small gain may come from the heap of one machine. A large one would hide a
/// later loss of the same size.
const MAX_GAIN_PERCENT: u64 = 15;

/// The instructions of one run of each case, in the order of the cases.
type Counts = Vec<(String, u64)>;

/// Counts every case, and compares the counts with the baseline or writes a new one. A check prints on stdout only what it
/// skipped, one line each, which `cargo xtask check` shows.
pub(crate) fn run(update: bool, check: bool) -> Result<()> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        return without_valgrind(check && !in_ci());
    }
    let path = repository().join(BASELINE);
    if update {
        return Ok(fs::write(path, text(&machine(), &count()?))?);
    }
    let known = fs::read_to_string(path).with_context(|| format!("cannot read {BASELINE}: {UPDATE}"))?;
    let (there, known) = parse(&known).with_context(|| format!("cannot parse {BASELINE}"))?;
    if there != machine() {
        let reason = format!("{BASELINE} has counts of {there}, and this is {}", machine());
        ensure!(check, "{reason}");
        println!("all of it: {reason}");
        return Ok(());
    }
    let counts = count()?;
    if !check {
        print!("{}", table(&known, &counts));
    }
    let (worse, cheaper) = differences(&known, &counts);
    for line in worse.iter().chain(&cheaper) {
        eprintln!("{line}");
    }
    ensure!(worse.is_empty(), "{} case(s) differ from {BASELINE}", worse.len());
    Ok(())
}

/// A missing valgrind is skipped by the check of a developer's machine only.
fn without_valgrind(may_skip: bool) -> Result<()> {
    let reason = "valgrind is missing: apt-get install valgrind, or the package of that name elsewhere";
    ensure!(may_skip, "{reason}");
    println!("all of it, {reason}");
    Ok(())
}

/// The properties of the machine that counts depend on. Valgrind shows programs the same processor everywhere, so
/// libraries choose the same loops. The exception is a real processor without AVX2.
fn machine() -> String {
    #[cfg(target_arch = "x86_64")]
    let loops = if std::arch::is_x86_feature_detected!("avx2") { " with AVX2" } else { " without AVX2" };
    #[cfg(not(target_arch = "x86_64"))]
    let loops = "";
    format!("{}{loops}", std::env::consts::ARCH)
}

/// Builds the cases and counts them.
fn count() -> Result<Counts> {
    let package = env!("CARGO_PKG_NAME");
    let build = ["build", "--release", "--locked", "--quiet", "--package", package, "--example", PROGRAM];
    ensure!(cargo(&build).status()?.success(), "the release build of {PROGRAM} failed");
    let program = repository().join("target/release/examples").join(PROGRAM);
    // Each processor runs one round at a time. With more, the pauses of the program would be too short for its threads.
    let processors = available_parallelism().map_or(1, NonZero::get).min(ROUNDS);
    let some = |first: usize| (first..ROUNDS).step_by(processors).map(|_| round(&program)).collect();
    let rounds: Vec<Result<Vec<Counts>>> = thread::scope(|scope| {
        let workers: Vec<_> = (0..processors).map(|first| scope.spawn(move || some(first))).collect();
        let join = |worker: thread::ScopedJoinHandle<'_, _>| {
            worker.join().unwrap_or_else(|_| bail!("a round panicked"))
        };
        workers.into_iter().map(join).collect()
    });
    medians(&rounds.into_iter().collect::<Result<Vec<_>>>()?.concat())
}

/// Counts every case once. Rounds run at the same time, so each has its own store.
fn round(program: &Path) -> Result<Counts> {
    let folder = tempfile::tempdir()?;
    let folder = folder.path();
    output(Command::new(program).arg("fill").arg(folder))?;
    let mut callgrind = Command::new("valgrind");
    callgrind.args(["--tool=callgrind", "--quiet", "--collect-atstart=no"]);
    callgrind.arg(format!("--toggle-collect={MEASURED}")).arg(format!("--dump-after={MEASURED}"));
    callgrind.arg(format!("--callgrind-out-file={}", folder.join("dump").display()));
    let printed = output(callgrind.arg(program).arg("count").arg(folder))?;
    let dump = |(number, line): (usize, &str)| {
        let dump = fs::read_to_string(folder.join(format!("dump.{number}")));
        per_run(line, &dump.with_context(|| format!("callgrind wrote no dump {number}"))?)
    };
    (1..).zip(printed.lines()).map(dump).collect()
}

fn output(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).output().context("cannot run the cases")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{PROGRAM} ended with {}\n{said}", output.status);
    Ok(String::from_utf8(output.stdout)?)
}

/// The count of a case, by the program's line (`RUNS<tab>NAME`) and callgrind's dump.
fn per_run(line: &str, dump: &str) -> Result<(String, u64)> {
    let value = |name: &str| dump.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    ensure!(value("events:") == Some("Ir"), "callgrind did not count instructions only");
    let total: u64 = value("totals:").context("a dump without a total")?.parse()?;
    ensure!(total > 0, "{line}: callgrind counted nothing: does {MEASURED} still exist?");
    let (runs, name) = line.split_once('\t').with_context(|| format!("{PROGRAM} printed {line:?}"))?;
    Ok((name.to_owned(), total.div_ceil(runs.parse::<NonZero<u64>>()?.get())))
}

/// Each case with the median of its counts.
fn medians(rounds: &[Counts]) -> Result<Counts> {
    let first = rounds.first().filter(|counts| !counts.is_empty()).context("there are no cases")?;
    let median = |(place, (name, _)): (usize, &(String, u64))| {
        let mut all: Vec<u64> = rounds.iter().filter_map(|counts| Some(counts.get(place)?.1)).collect();
        all.sort_unstable();
        (name.clone(), all[all.len() / 2])
    };
    Ok(first.iter().enumerate().map(median).collect())
}

/// The text of a baseline.
fn text(machine: &str, counts: &Counts) -> String {
    let mut text = format!(
        "# How many instructions one run of each case of bench/examples/instructions takes, by callgrind.\n\
         # Written by `{UPDATE}`.\n{MACHINE}{machine}\n"
    );
    for (name, count) in counts {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{count:>9}  {name}");
    }
    text
}

/// The machine and the counts of a baseline.
fn parse(text: &str) -> Result<(String, Counts)> {
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let machine =
        lines.next().and_then(|line| line.strip_prefix(MACHINE)).context("the machine is missing")?;
    let count = |line: &str| {
        let (count, name) = line.trim_start().split_once("  ").context("a line is no count and name")?;
        Ok((
            name.to_owned(),
            count.parse::<NonZero<u64>>().with_context(|| format!("{name}: {count:?}"))?.get(),
        ))
    };
    Ok((machine.to_owned(), lines.map(count).collect::<Result<_>>()?))
}

fn find(counts: &Counts, name: &str) -> Option<u64> {
    counts.iter().find(|(known, _)| known == name).map(|(_, count)| *count)
}

/// The differences that fail (more expensive, much cheaper, new and missing cases), and cases that are a little cheaper.
fn differences(known: &Counts, counts: &Counts) -> (Vec<String>, Vec<String>) {
    let (mut worse, mut cheaper) = (Vec::new(), Vec::new());
    for (name, now) in counts {
        let Some(before) = find(known, name) else {
            worse.push(format!("{name}: {now} instructions, not in the baseline: {UPDATE}"));
            continue;
        };
        let percent = |percent: u64| now.abs_diff(before) * 100 > before * percent;
        let line =
            format!("{name}: {now} instructions, {before} in the baseline: {} times", ratio(before, *now));
        if *now > before && percent(TOLERANCE_PERCENT) {
            worse.push(line);
        } else if percent(TOLERANCE_PERCENT) {
            let lines = if percent(MAX_GAIN_PERCENT) { &mut worse } else { &mut cheaper };
            lines.push(format!("{line}; update the baseline: {UPDATE}"));
        }
    }
    let gone = known.iter().filter(|(name, _)| find(counts, name).is_none());
    worse
        .extend(gone.map(|(name, _)| format!("{name}: in the baseline, but not counted any more: {UPDATE}")));
    (worse, cheaper)
}

/// The ratio with three digits after the decimal point.
fn ratio(before: u64, now: u64) -> String {
    let thousandths = (now * 1_000 + before / 2) / before;
    format!("{}.{:03}", thousandths / 1_000, thousandths % 1_000)
}

/// Every case beside its baseline.
fn table(known: &Counts, counts: &Counts) -> String {
    let row = |(name, now): &(String, u64)| match find(known, name) {
        Some(before) => format!("| {name} | {before} | {now} | {} |\n", ratio(before, *now)),
        None => format!("| {name} |  | {now} |  |\n"),
    };
    let head = "| case | baseline | instructions | ratio |\n|---|--:|--:|--:|\n".to_owned();
    iter::once(head).chain(counts.iter().map(row)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(of: &[(&str, u64)]) -> Counts {
        of.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
    }

    #[test]
    fn written_baseline_is_read_again() {
        let written = counts(&[("list, page 1", 2_486), ("GET detail", 1_234_567_890)]);
        assert_eq!(parse(&text("a machine", &written)).unwrap(), ("a machine".to_owned(), written));
    }

    #[test]
    fn malformed_baseline_is_refused() {
        for text in ["", "1  list\n", "machine: m\nlist\n", "machine: m\nx  list\n", "machine: m\n0  list\n"]
        {
            assert!(parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn count_may_grow_by_five_percent_and_shrink_by_fifteen() {
        let compare = |now| differences(&counts(&[("list", 1_000)]), &counts(&[("list", now)]));
        let lengths = |now| {
            let (worse, cheaper) = compare(now);
            (worse.len(), cheaper.len())
        };
        assert_eq!([950, 1_000, 1_050].map(lengths), [(0, 0); 3]);
        assert_eq!([1_051, 949, 850, 849].map(lengths), [(1, 0), (0, 1), (0, 1), (1, 0)]);
        assert_eq!(compare(1_051).0, ["list: 1051 instructions, 1000 in the baseline: 1.051 times"]);
        assert!(
            compare(949).1[0]
                .ends_with("0.949 times; update the baseline: cargo benchmark --instructions --update")
        );
    }

    #[test]
    fn new_and_missing_cases_are_named() {
        let (worse, _) =
            differences(&counts(&[("gone", 7), ("list", 9)]), &counts(&[("new", 5), ("list", 9)]));
        let starts = [
            "new: 5 instructions, not in the baseline: ",
            "gone: in the baseline, but not counted any more: ",
        ];
        assert_eq!(worse.len(), 2);
        assert!(worse.iter().zip(starts).all(|(line, start)| line.starts_with(start)), "{worse:?}");
    }

    #[test]
    fn table_has_every_case() {
        let table = table(&counts(&[("list", 1_000)]), &counts(&[("list", 1_010), ("new", 5)]));
        assert!(
            table.ends_with("|---|--:|--:|--:|\n| list | 1000 | 1010 | 1.010 |\n| new |  | 5 |  |\n"),
            "{table}"
        );
    }

    #[test]
    fn missing_valgrind_may_be_skipped_only_where_that_is_allowed() {
        assert!(without_valgrind(true).is_ok());
        assert!(without_valgrind(false).unwrap_err().to_string().starts_with("valgrind is missing: "));
    }

    const DUMP: &str = "version: 1\npart: 1\n\npositions: line\nevents: Ir\nsummary: 5001\n\n\
                        fn=(1) instructions::measured\n0 7\n\ntotals: 5001\n";

    #[test]
    fn dump_has_the_instructions_of_all_runs() {
        assert_eq!(per_run("50\tdetail, 304", DUMP).unwrap(), ("detail, 304".to_owned(), 101));
        for line in ["detail", "0\tdetail", "many\tdetail"] {
            assert!(per_run(line, DUMP).is_err(), "{line:?}");
        }
        for (part, other) in
            [("totals:", "subtotals:"), ("Ir\n", "Ir Dr Dw\n"), ("totals: 5001", "totals: 0")]
        {
            assert!(per_run("50\tdetail", &DUMP.replace(part, other)).is_err(), "{other:?}");
        }
    }

    #[test]
    fn case_has_the_median_of_its_rounds() {
        let round = |list, detail| counts(&[("list", list), ("detail", detail)]);
        assert_eq!(medians(&[round(7, 30), round(9, 10), round(8, 20)]).unwrap(), round(8, 20));
        assert!(medians(&[Vec::new()]).is_err());
    }
}
