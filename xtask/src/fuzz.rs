//! `cargo xtask fuzz [TARGET...] [--seconds N]`: libFuzzer looks for bytes on which a fuzz target panics, hangs, or takes too
//! much memory. It starts with the seeds and with what earlier runs found interesting.
//!
//! The flags are those of `cargo fuzz --sanitizer none`, which a stable compiler takes. No crate has `unsafe` code, so there is
//! little that a sanitizer would find.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::available_parallelism;

use anyhow::{Context, Result, bail, ensure};
use xtask::operate::cargo::cargo;
use xtask::operate::root::repository;

use crate::check::step;
use crate::tools::target;

/// How long each target runs.
const SECONDS: u32 = 600;

/// What makes the compiler count the branches and comparisons that an input reaches.
const COVERAGE: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1 --cfg fuzzing";

/// The longest run with one input, in seconds, and the most memory.
const BOUNDS: [&str; 2] = ["-timeout=10", "-rss_limit_mb=2048"];

/// Builds the targets and runs them, as many at a time as there are processors.
pub(crate) fn command(words: &[String]) -> Result<()> {
    let (names, seconds) = parse(words)?;
    let folder = target()?.join("fuzz");
    let program = build(&folder)?;
    let at_once = available_parallelism().map_or(1, NonZero::get);
    let mut findings = Vec::new();
    for names in names.chunks(at_once) {
        let started = names.iter().map(|name| Run::start(&program, &folder, name, seconds));
        for run in started.collect::<Result<Vec<_>>>()? {
            findings.extend(run.finish()?);
        }
    }
    ensure!(findings.is_empty(), "{}", findings.join("\n"));
    Ok(())
}

/// The chosen targets, and how many seconds each runs.
fn parse(words: &[String]) -> Result<(Vec<String>, u32)> {
    let known = targets()?;
    let (mut names, mut seconds) = (Vec::new(), SECONDS);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--seconds" => seconds = words.next().context("--seconds needs a value")?.parse()?,
            name if known.contains(name) => names.push(name.to_owned()),
            _ => {
                bail!("there is no target {word:?}; the targets are {known:?}, and the option is --seconds N")
            }
        }
    }
    Ok((if names.is_empty() { known.into_iter().collect() } else { names }, seconds))
}

/// The names of all targets: each has a folder with seeds.
fn targets() -> Result<BTreeSet<String>> {
    let folders = fs::read_dir(seeds())?;
    folders.map(|folder| Ok(folder?.file_name().to_string_lossy().into_owned())).collect()
}

fn seeds() -> PathBuf {
    repository().join("fuzz/seeds")
}

/// Builds the executable, in a target folder of its own. With `--target`, build scripts and macros do not get the flags.
fn build(folder: &Path) -> Result<PathBuf> {
    let rustc = Command::new("rustc").args(["--print", "host-tuple"]).output().context("cannot run rustc")?;
    let host = String::from_utf8(rustc.stdout)?.trim().to_owned();
    let mut build = cargo(&["build", "--quiet", "--locked", "--package", "pointbook-fuzz", "--bin", "fuzz"]);
    build.args(["--profile", "fuzz", "--target", &host, "--target-dir"]).arg(folder);
    build.env("RUSTFLAGS", COVERAGE).env_remove("CARGO_ENCODED_RUSTFLAGS");
    step("build", || crate::check::quietly(build))?;
    Ok(folder.join(host).join("fuzz/fuzz"))
}

/// A target that runs.
struct Run {
    name: String,
    process: Child,
    /// What libFuzzer writes.
    log: PathBuf,
    /// The folder of inputs that it found something with.
    found: PathBuf,
}

impl Run {
    fn start(program: &Path, folder: &Path, name: &str, seconds: u32) -> Result<Self> {
        let [corpus, found] = ["corpus", "found"].map(|kind| folder.join(kind).join(name));
        fs::create_dir_all(&corpus)?;
        fs::create_dir_all(&found)?;
        let log = folder.join(format!("{name}.log"));
        let mut command = Command::new(program);
        command.args(BOUNDS).arg(format!("-max_total_time={seconds}")).arg("-print_final_stats=1");
        command.arg(format!("-artifact_prefix={}/", found.display()));
        // It adds to the first folder, and reads both.
        command.arg(corpus).arg(seeds().join(name)).args(["-ignore_remaining_args=1", name]);
        command
            .stdin(Stdio::null())
            .stdout(File::create(&log)?)
            .stderr(File::options().append(true).open(&log)?);
        let process = command.spawn().with_context(|| format!("cannot run {}", program.display()))?;
        Ok(Self { name: name.to_owned(), process, log, found })
    }

    /// Waits for its end, and prints a line. Returns what it found, and how to see it again.
    fn finish(mut self) -> Result<Option<String>> {
        let status = self.process.wait()?;
        let told = String::from_utf8_lossy(&fs::read(&self.log)?).into_owned();
        println!("{:<15} {}", self.name, summary(&told));
        if status.success() {
            return Ok(None);
        }
        let Self { name, log, found, .. } = self;
        Ok(Some(format!(
            "{name}: {status}, see {}. The input is in {}. To see it again, copy it to fuzz/seeds/{name} under a name that says what it \
             is, and run cargo test --package pointbook-fuzz",
            log.display(),
            found.display(),
        )))
    }
}

/// How much libFuzzer tried.
fn summary(told: &str) -> String {
    let number = |name: &str| {
        let line = told.lines().rfind(|line| line.starts_with(name));
        line.and_then(|line| line.rsplit(' ').next()).unwrap_or("?").to_owned()
    };
    let edges = told.lines().rev().find_map(|line| line.split_once(" cov: ")?.1.split(' ').next());
    format!(
        "{} inputs, {} per second, {} branches",
        number("stat::number_of_executed_units"),
        number("stat::average_exec_per_sec"),
        edges.unwrap_or("?")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_seconds_are_given_in_any_order() {
        let parsed = |words: &str| parse(&words.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(parsed("json --seconds 7 csv").unwrap(), (vec!["json".to_owned(), "csv".to_owned()], 7));
        assert!(parsed("").unwrap().0.contains(&"json".to_owned()));
        let error = parsed("jsn").unwrap_err().to_string();
        assert!(error.contains("\"json\""), "{error}");
    }

    #[test]
    fn the_last_numbers_are_told() {
        let told = "#2 INITED cov: 3 ft: 4 corp: 1/1b\n#9 DONE   cov: 12 ft: 40 corp: 2/2b\nstat::number_of_executed_units: 9\n\
            stat::average_exec_per_sec:     4\n";
        assert_eq!(summary(told), "9 inputs, 4 per second, 12 branches");
        assert_eq!(summary(""), "? inputs, ? per second, ? branches");
    }
}
