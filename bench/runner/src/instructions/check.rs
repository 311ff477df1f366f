//! `--instructions --check`, a step of `cargo xtask check`: no hot function may take more instructions than in the
//! committed baseline.

use anyhow::{Result, bail};
use pointbook_operate::ci::in_ci;

use super::{Compared, Differences, INSTALL, compare, is_installed};

/// Prints one line on stdout per skipped part. `cargo xtask check` shows these lines below its step.
pub(super) fn run() -> Result<()> {
    skipped()?.iter().for_each(|line| println!("{line}"));
    Ok(())
}

/// Counts and compares, including the release build of the counted program.
fn skipped() -> Result<Vec<String>> {
    if !is_installed() {
        return without_valgrind(in_ci());
    }
    match compare()? {
        Compared::Skipped(reason) => Ok(vec![format!("all of it: {reason}")]),
        Compared::Differences(differences) => verdict(&differences),
    }
}

/// Fails for the worse cases. Prints the slightly cheaper ones.
fn verdict(Differences { worse, cheaper }: &Differences) -> Result<Vec<String>> {
    let told = [worse.as_slice(), cheaper].concat();
    if !told.is_empty() {
        eprintln!("\n{}", told.join("\n"));
    }
    if !worse.is_empty() {
        bail!("{} case(s) differ from the baseline", worse.len());
    }
    Ok(Vec::new())
}

/// A missing valgrind is skipped on a developer's machine and an error in CI.
fn without_valgrind(in_ci: bool) -> Result<Vec<String>> {
    if in_ci {
        bail!("valgrind is missing: {INSTALL}");
    }
    Ok(vec![format!("all of it, valgrind is missing: {INSTALL}")])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_valgrind_fails_in_ci_only() {
        assert!(without_valgrind(true).is_err());
        let skipped = without_valgrind(false).unwrap();
        assert_eq!(skipped, [format!("all of it, valgrind is missing: {INSTALL}")]);
    }

    #[test]
    fn more_expensive_case_fails_and_cheaper_one_passes() {
        let line = || vec!["list: 1 instruction".to_owned()];
        assert!(verdict(&Differences { worse: Vec::new(), cheaper: line() }).is_ok());
        let failed = verdict(&Differences { worse: line(), cheaper: line() }).unwrap_err();
        assert_eq!(failed.to_string(), "1 case(s) differ from the baseline");
    }
}
