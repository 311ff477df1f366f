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
}

/// The checks of every push, in their order.
const PUSH: &[Step] = &[
    Step { name: "fmt", run: cargo::fmt },
    Step { name: "clippy", run: cargo::clippy },
    Step { name: "tests", run: suites::all },
    Step { name: "races", run: suites::races },
    Step { name: "bytes", run: transcripts::compare },
    Step { name: "openapi", run: openapi::is_up_to_date },
    Step { name: "spectral", run: contract::spectral },
    Step { name: "shop", run: contract::shop },
    Step { name: "console", run: contract::console },
];

/// What `--full` adds. The names of the first steps are those of the set-ups in which the suites run again.
const FULL: &[Step] = &[
    Step { name: "deny", run: deny::run },
    Step { name: "rustdoc", run: cargo::rustdoc },
    Step { name: "book", run: docs::run },
    Step { name: "read-committed", run: suites::read_committed },
    Step { name: "serializable", run: suites::serializable },
    Step { name: "citus", run: suites::citus },
    Step { name: "all-bytes", run: transcripts::compare_all },
    Step { name: "pages", run: contract::pages },
    Step { name: "all-console", run: contract::whole_console },
    Step { name: "openid", run: contract::openid },
    Step { name: "schemathesis", run: contract::schemathesis },
    Step { name: "clients", run: || task(clients::command, "--smoke") },
    Step { name: "receivers", run: || task(receivers::command, "") },
    Step { name: "fuzz", run: || task(fuzz::command, "") },
    Step { name: "crash", run: || task(crash::command, "--events --rounds 3") },
    Step { name: "crash-postgres", run: || task(crash::command, "--events --rounds 2 --database postgres") },
    Step { name: "instructions", run: cargo::instructions },
    Step { name: "dist", run: || task(dist::command, "--target host") },
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
    write!(output, "{name:<15} ")?;
    output.flush()?;
    let started = Instant::now();
    let result = run();
    // A step that fails has shown why in between.
    let verdict = match &result {
        Ok(_) => "ok".to_owned(),
        Err(_) => format!("\n{name:<15} FAILED"),
    };
    writeln!(output, "{verdict:<6} {:>6.1} s", started.elapsed().as_secs_f32())?;
    for skipped in result.with_context(|| format!("step \"{name}\" failed"))? {
        writeln!(output, "{:<15} skipped: {skipped}", "")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
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
            &Step { name: "one", run: || Ok(Skipped::new()) },
            &Step { name: "two", run: || bail!("no luck") },
            &Step { name: "three", run: || Ok(Skipped::new()) },
        ];
        let (result, lines) = lines(&steps);
        assert_eq!(format!("{:#}", result.unwrap_err()), "step \"two\" failed: no luck");
        assert!(lines.iter().any(|line| line.starts_with("one             ok")));
        assert!(lines.iter().any(|line| line.starts_with("two             FAILED")));
        assert!(!lines.iter().any(|line| line.starts_with("three")));
    }

    #[test]
    fn skipped_checks_are_printed_below_their_step() {
        let (result, lines) =
            lines(&[&Step { name: "deny", run: || Ok(vec!["all of it: install it".to_owned()]) }]);
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
