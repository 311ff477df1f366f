//! `cargo xtask check`: runs every check of the repository, the cheapest first.
//!
//! Each step prints one line with its duration, and its output only when it fails. It needs no terminal. The tests run
//! late and print their own output. The steps after them compare the files that the tests wrote.

mod cargo;
mod deny;
mod transcripts;

use std::io::{self, IsTerminal, Write};
use std::time::Instant;

use anyhow::{Context, Result, bail};

pub(crate) use pointbook_operate::cargo::cargo;

pub(crate) use self::cargo::{build_binary, quietly};
use crate::{docs, openapi, tidy};

/// What a step had to skip: one line each, which says how to enable it.
pub(crate) type Skipped = Vec<String>;

/// One check with its name.
struct Step {
    name: &'static str,
    run: fn() -> Result<Skipped>,
}

/// The checks in their order. A generated file that must be up to date is one more line here.
const STEPS: &[Step] = &[
    Step { name: "fmt", run: cargo::fmt },
    Step { name: "tidy", run: house_rules },
    Step { name: "clippy", run: cargo::clippy },
    Step { name: "docs", run: cargo::docs },
    Step { name: "deny", run: deny::run },
    Step { name: "openapi", run: description },
    Step { name: "book", run: docs::run },
];

/// The checks after the tests.
const STEPS_AFTER_TESTS: &[Step] = &[
    Step { name: "bytes", run: transcripts::compare },
    Step { name: "instructions", run: cargo::instructions },
];

/// Runs every step, the tests among them.
///
/// # Errors
/// Names the first step that fails. Later steps do not run.
pub(crate) fn command(_arguments: &[String]) -> Result<()> {
    let started = Instant::now();
    run_all(STEPS, &mut io::stdout())?;
    println!("{:<12} cargo {}", "tests", cargo::TESTS.join(" "));
    transcripts::clear()?;
    cargo::tests().context("step \"tests\" failed")?;
    run_all(STEPS_AFTER_TESTS, &mut io::stdout())?;
    // A log ends with the last step.
    if io::stderr().is_terminal() {
        eprintln!("check: all steps passed after {:.0} s", started.elapsed().as_secs_f32());
    }
    Ok(())
}

fn run_all(steps: &[Step], output: &mut impl Write) -> Result<()> {
    for step in steps {
        run_one(step.name, step.run, output)?;
    }
    Ok(())
}

/// Runs one step of another task and prints it in the same format.
pub(crate) fn step(name: &str, run: impl FnOnce() -> Result<Skipped>) -> Result<()> {
    run_one(name, run, &mut io::stdout())
}

fn run_one(name: &str, run: impl FnOnce() -> Result<Skipped>, output: &mut impl Write) -> Result<()> {
    write!(output, "{name:<12} ")?;
    output.flush()?;
    let started = Instant::now();
    let result = run();
    // A step that fails has shown why in between.
    let verdict = match &result {
        Ok(_) => "ok".to_owned(),
        Err(_) => format!("\n{name:<12} FAILED"),
    };
    writeln!(output, "{verdict:<6} {:>6.1} s", started.elapsed().as_secs_f32())?;
    for skipped in result.with_context(|| format!("step \"{name}\" failed"))? {
        writeln!(output, "{:<12} skipped: {skipped}", "")?;
    }
    Ok(())
}

fn house_rules() -> Result<Skipped> {
    let findings = tidy::findings_here()?;
    if findings.is_empty() {
        return Ok(Skipped::new());
    }
    eprintln!();
    for finding in &findings {
        eprintln!("{finding}");
    }
    bail!("{} finding(s)", findings.len());
}

/// Checks that the committed `openapi.json` matches the code.
fn description() -> Result<Skipped> {
    openapi::is_up_to_date()?;
    Ok(Skipped::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(steps: &[Step]) -> (Result<()>, Vec<String>) {
        let mut output = Vec::new();
        let result = run_all(steps, &mut output);
        (result, String::from_utf8_lossy(&output).lines().map(str::to_owned).collect())
    }

    #[test]
    fn first_failing_step_is_named_and_stops_the_rest() {
        let steps = [
            Step { name: "one", run: || Ok(Skipped::new()) },
            Step { name: "two", run: || bail!("no luck") },
            Step { name: "three", run: || Ok(Skipped::new()) },
        ];
        let (result, lines) = lines(&steps);
        assert_eq!(format!("{:#}", result.unwrap_err()), "step \"two\" failed: no luck");
        assert!(lines.iter().any(|line| line.starts_with("one          ok")));
        assert!(lines.iter().any(|line| line.starts_with("two          FAILED")));
        assert!(!lines.iter().any(|line| line.starts_with("three")));
    }

    #[test]
    fn skipped_checks_are_printed_below_their_step() {
        let steps = [Step { name: "deny", run: || Ok(vec!["all of it: install it".to_owned()]) }];
        let (result, lines) = lines(&steps);
        assert!(result.is_ok());
        assert_eq!(lines.last().map(String::as_str), Some("             skipped: all of it: install it"));
    }
}
