//! The steps that are one call of cargo.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use xtask::operate::cargo::cargo;

use super::Skipped;

/// Builds the debug binary with the features that the tests have, so that both share their build: cargo adds those of
/// dev-dependencies only when it builds a test, too, and this one is small.
const BINARY: &[&str] =
    &["build", "--workspace", "--locked", "--bin", "pointbook", "--example", "tables", "--test", "charts"];

/// Formatting.
pub(super) fn fmt() -> Result<Skipped> {
    quietly(cargo(&["fmt", "--all", "--check"]))
}

/// Lints. A warning is an error.
pub(super) fn clippy() -> Result<Skipped> {
    quietly(cargo(&["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"]))
}

/// The documentation builds without a broken link.
pub(super) fn rustdoc() -> Result<Skipped> {
    let mut command = cargo(&["doc", "--workspace", "--no-deps", "--locked"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    quietly(command)
}

/// Compares the instructions of hot functions with the committed baseline. The benchmark prints what it skipped.
pub(super) fn instructions() -> Result<Skipped> {
    let mut benchmark = cargo(&["run", "--quiet", "--locked", "--package", "pointbook-bench"]);
    benchmark.args(["--", "--instructions", "--check"]);
    let output = benchmark.stderr(Stdio::inherit()).output().context("cannot run cargo")?;
    ensure!(output.status.success(), "`{}`: {}", shown(&benchmark), output.status);
    Ok(String::from_utf8(output.stdout)?.lines().map(str::to_owned).collect())
}

/// Builds the debug binary.
///
/// # Errors
/// When the build fails, after the output of cargo was shown.
pub(crate) fn build_binary() -> Result<Skipped> {
    quietly(cargo(BINARY))
}

/// Runs a program and shows its output only when it failed.
pub(crate) fn quietly(mut command: Command) -> Result<Skipped> {
    let output = command.output().with_context(|| format!("cannot run {}", shown(&command)))?;
    if output.status.success() {
        return Ok(Skipped::new());
    }
    eprint!("\n{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    bail!("`{}`: {}", shown(&command), output.status)
}

/// The command as a user would type it.
fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failing_program_is_named_with_its_arguments_and_status() {
        let error = quietly(cargo(&["no-such-subcommand"])).unwrap_err();
        assert!(error.to_string().starts_with("`cargo no-such-subcommand`: exit status: "), "{error}");
    }
}
