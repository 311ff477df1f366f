//! `cargo xtask check [--full] [STEP...]`: the checks of the repository.
//!
//! Without `--full` these are the checks of every push. `--full` adds what takes longer: run it before a larger change lands.
//! With names of steps, only these run, in the order of the list. A step prints one line with its duration, and its output only
//! when it fails. The steps that run tests pass the output on.

mod cargo;
mod deny;
mod processes;
mod suites;
mod transcripts;

use std::io::{self, Write};
use std::thread::{self, ScopedJoinHandle};
use std::time::Instant;

use anyhow::{Context, Result, ensure};

pub(crate) use xtask::operate::cargo::cargo;

pub(crate) use self::cargo::{build_binary, quietly};
use crate::{clients, contract, crash, dist, docs, fuzz, openapi, receivers};

/// What a step had to skip: one line each, which says how to enable it.
pub(crate) type Skipped = Vec<String>;

/// One check with its name.
struct Step {
    name: &'static str,
    run: fn() -> Result<Skipped>,
    /// Whether it may run at the same time as the steps before and behind it: it is silent, and does not use all processors. Two such steps in
    /// a row run side by side.
    is_beside: bool,
}

impl Step {
    const fn alone(name: &'static str, run: fn() -> Result<Skipped>) -> Self {
        Self { name, run, is_beside: false }
    }

    const fn beside(name: &'static str, run: fn() -> Result<Skipped>) -> Self {
        Self { name, run, is_beside: true }
    }
}

/// The checks of every push, in their order.
const PUSH: &[Step] = &[
    Step::alone("fmt", cargo::fmt),
    Step::alone("clippy", cargo::clippy),
    Step::alone("tests", suites::all),
    Step::alone("races", suites::races),
    Step::alone("bytes", transcripts::compare),
    Step::alone("openapi", openapi::is_up_to_date),
    Step::beside("spectral", contract::spectral),
    Step::beside("shop", contract::shop),
    Step::beside("console", contract::console),
];

/// What `--full` adds. The names of the first steps are those of the set-ups in which the suites run again.
const FULL: &[Step] = &[
    Step::alone("deny", deny::run),
    Step::alone("rustdoc", cargo::rustdoc),
    Step::alone("book", docs::run),
    Step::alone("read-committed", suites::read_committed),
    Step::alone("serializable", suites::serializable),
    Step::alone("citus", suites::citus),
    Step::alone("all-bytes", transcripts::compare_all),
    Step::alone("pages", contract::pages),
    Step::alone("all-console", contract::whole_console),
    Step::alone("openid", contract::openid),
    Step::alone("schemathesis", contract::schemathesis),
    Step::alone("clients", || task(clients::command, "--smoke")),
    Step::alone("receivers", || task(receivers::command, "")),
    Step::alone("fuzz", || task(fuzz::command, "")),
    Step::alone("crash", || task(crash::command, "--events --rounds 3")),
    Step::alone("crash-postgres", || task(crash::command, "--events --rounds 2 --database postgres")),
    Step::alone("instructions", cargo::instructions),
    Step::alone("dist", || task(dist::command, "--target host")),
];

/// Runs the steps.
///
/// # Errors
/// Names the first step that fails. Later steps do not run.
pub(crate) fn command(words: &[String]) -> Result<()> {
    let started = Instant::now();
    let steps = chosen(words)?;
    run_all(&steps, &mut io::stdout())?;
    println!("check: {} steps passed after {:.0} s", steps.len(), started.elapsed().as_secs_f32());
    Ok(())
}

fn chosen(words: &[String]) -> Result<Vec<&'static Step>> {
    let (options, names): (Vec<&String>, Vec<&String>) = words.iter().partition(|word| word.starts_with('-'));
    ensure!(options.iter().all(|option| *option == "--full"), "the only option is --full, got {options:?}");
    let every = || PUSH.iter().chain(FULL);
    if names.is_empty() {
        return Ok(every().take(if options.is_empty() { PUSH.len() } else { usize::MAX }).collect());
    }
    let known: Vec<_> = every().map(|step| step.name).collect();
    let unknown = names.iter().find(|name| !known.contains(&name.as_str()));
    ensure!(unknown.is_none(), "there is no step {unknown:?}; the steps are {}", known.join(", "));
    Ok(every().filter(|step| names.iter().any(|name| *name == step.name)).collect())
}

/// Runs another task, which prints its own lines.
fn task(command: fn(&[String]) -> Result<()>, words: &str) -> Result<Skipped> {
    println!();
    command(&words.split_whitespace().map(str::to_owned).collect::<Vec<_>>())?;
    Ok(Skipped::new())
}

fn run_all(steps: &[&Step], output: &mut impl Write) -> Result<()> {
    for group in steps.chunk_by(|step, next| step.is_beside && next.is_beside) {
        match group {
            [step] => run_one(step.name, step.run, output)?,
            group => run_beside(group, output)?,
        }
    }
    Ok(())
}

/// Runs steps at the same time. Each has its line when all have ended.
fn run_beside(steps: &[&Step], output: &mut impl Write) -> Result<()> {
    let ended = thread::scope(|scope| {
        let running: Vec<_> = steps.iter().map(|step| scope.spawn(|| timed(step.run))).collect();
        running.into_iter().map(ScopedJoinHandle::join).collect::<Vec<_>>()
    });
    let mut first = Ok(());
    for (step, ended) in steps.iter().zip(ended) {
        let (result, seconds) = ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        write!(output, "{:<15} ", step.name)?;
        first = first.and(say(step.name, result, seconds, output));
    }
    first
}

/// What a step came to, and how many seconds it took.
fn timed(run: impl FnOnce() -> Result<Skipped>) -> (Result<Skipped>, f32) {
    let started = Instant::now();
    let result = run();
    (result, started.elapsed().as_secs_f32())
}

/// Runs one step of another task and prints it in the same format.
pub(crate) fn step(name: &str, run: impl FnOnce() -> Result<Skipped>) -> Result<()> {
    run_one(name, run, &mut io::stdout())
}

fn run_one(name: &str, run: impl FnOnce() -> Result<Skipped>, output: &mut impl Write) -> Result<()> {
    write!(output, "{name:<15} ")?;
    output.flush()?;
    let (result, seconds) = timed(run);
    say(name, result, seconds, output)
}

/// Ends the line of a step.
fn say(name: &str, result: Result<Skipped>, seconds: f32, output: &mut impl Write) -> Result<()> {
    // A step that fails has shown why in between.
    let verdict = match &result {
        Ok(_) => "ok".to_owned(),
        Err(_) => format!("\n{name:<15} FAILED"),
    };
    writeln!(output, "{verdict:<6} {seconds:>6.1} s")?;
    for skipped in result.with_context(|| format!("step \"{name}\" failed"))? {
        writeln!(output, "{:<15} skipped: {skipped}", "")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use anyhow::bail;

    use super::*;

    fn lines(steps: &[&Step]) -> (Result<()>, Vec<String>) {
        let mut output = Vec::new();
        let result = run_all(steps, &mut output);
        (result, String::from_utf8_lossy(&output).lines().map(str::to_owned).collect())
    }

    #[test]
    fn first_failing_step_is_named_and_stops_the_rest() {
        let steps = [
            &Step::alone("one", || Ok(Skipped::new())),
            &Step::alone("two", || bail!("no luck")),
            &Step::alone("three", || Ok(Skipped::new())),
        ];
        let (result, lines) = lines(&steps);
        assert_eq!(format!("{:#}", result.unwrap_err()), "step \"two\" failed: no luck");
        assert!(lines.iter().any(|line| line.starts_with("one             ok")));
        assert!(lines.iter().any(|line| line.starts_with("two             FAILED")));
        assert!(!lines.iter().any(|line| line.starts_with("three")));
    }

    /// Each waits for the other, so neither would end alone.
    #[test]
    fn steps_that_are_beside_each_other_run_at_the_same_time() {
        static BOTH: Barrier = Barrier::new(2);
        let steps = [
            &Step::beside("one", || {
                BOTH.wait();
                bail!("no luck")
            }),
            &Step::beside("two", || {
                BOTH.wait();
                Ok(Skipped::new())
            }),
            &Step::alone("three", || panic!("it runs after a failure")),
        ];
        let (result, lines) = lines(&steps);
        assert_eq!(format!("{:#}", result.unwrap_err()), "step \"one\" failed: no luck");
        assert!(lines.iter().any(|line| line.starts_with("one             FAILED")), "{lines:?}");
        assert!(lines.iter().any(|line| line.starts_with("two             ok")), "{lines:?}");
    }

    #[test]
    fn skipped_checks_are_printed_below_their_step() {
        let (result, lines) = lines(&[&Step::alone("deny", || Ok(vec!["all of it: install it".to_owned()]))]);
        assert!(result.is_ok());
        assert_eq!(lines.last().map(String::as_str), Some("                skipped: all of it: install it"));
    }

    #[test]
    fn named_steps_run_in_the_order_of_the_list() {
        let names = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            chosen(&words).map(|steps| steps.iter().map(|step| step.name).collect::<Vec<_>>())
        };
        assert_eq!(names(&["tests", "fmt"]).unwrap(), ["fmt", "tests"]);
        assert_eq!(names(&[]).unwrap().last(), Some(&"console"));
        assert_eq!(names(&["--full"]).unwrap().last(), Some(&"dist"));
        assert!(names(&["tset"]).unwrap_err().to_string().contains("fmt, clippy, tests"));
        assert!(names(&["--fast"]).unwrap_err().to_string().contains("--full"));
    }
}
