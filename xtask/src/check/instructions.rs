//! That no hot function takes more instructions than the committed baseline says.

use anyhow::{Result, bail};

use super::{Skipped, in_ci};
use crate::bench::instructions::{self, Compared, INSTALL};

/// Counts and compares; the release build of what is counted is a part of it.
pub(super) fn run() -> Result<Skipped> {
    if !instructions::is_installed() {
        return without_valgrind(in_ci());
    }
    match instructions::compare()? {
        Compared::Skipped(reason) => Ok(vec![format!("all of it: {reason}")]),
        Compared::Differences(differences) if differences.is_empty() => Ok(Skipped::new()),
        Compared::Differences(differences) => {
            eprintln!("\n{}", differences.join("\n"));
            bail!("{} case(s) are not as in the baseline", differences.len())
        }
    }
}

/// A developer may go on without it; the machine that guards the branch may not.
fn without_valgrind(in_ci: bool) -> Result<Skipped> {
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
}
