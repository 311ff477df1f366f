//! Rounds that count, and rounds that are thrown away because something else used the processors.

use anyhow::{Result, bail};

/// The part of all processors that something else may use in a round that counts.
pub(super) const FOREIGN_SHARE_MAX: f64 = 0.05;
/// So many rounds are thrown away for each that is wanted, then the machine is given up.
const THROWN_AWAY_PER_ROUND: usize = 3;

/// How many rounds are wanted, how long each takes, and whether those beside others count.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    pub(super) rounds: usize,
    pub(super) seconds: u32,
    pub(super) is_noisy: bool,
}

/// How the rounds of a scenario went.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub(super) struct Held {
    kept: usize,
    thrown_away: usize,
    /// Of all rounds.
    share_max: f64,
    /// Of those that count.
    kept_share_max: f64,
}

impl Held {
    /// The row of the table.
    pub(super) fn cells(&self, scenario: &str) -> Vec<String> {
        let percent = |share: f64| format!("{:.0} %", share * 100.0);
        let counts = [self.kept.to_string(), self.thrown_away.to_string()];
        let shares = [percent(self.share_max), percent(self.kept_share_max)];
        [scenario.to_owned()].into_iter().chain(counts).chain(shares).collect()
    }
}

/// Repeats a round until enough of them count. Each gives what it measured and the part of the processors that
/// something else had.
///
/// # Errors
/// When a round fails, or when too many do not count.
pub(super) fn hold<T>(extent: Extent, mut round: impl FnMut() -> Result<(T, f64)>) -> Result<(Vec<T>, Held)> {
    let (mut rounds, mut held) = (Vec::with_capacity(extent.rounds), Held::default());
    while rounds.len() < extent.rounds {
        let (measured, share) = round()?;
        held.share_max = held.share_max.max(share);
        if share > FOREIGN_SHARE_MAX && !extent.is_noisy {
            held.thrown_away += 1;
            give_up(extent, &held)?;
            continue;
        }
        held.kept_share_max = held.kept_share_max.max(share);
        rounds.push(measured);
        held.kept = rounds.len();
    }
    Ok((rounds, held))
}

fn give_up(extent: Extent, held: &Held) -> Result<()> {
    if held.thrown_away <= extent.rounds * THROWN_AWAY_PER_ROUND {
        return Ok(());
    }
    bail!(
        "the machine is busy: {} of {} rounds were thrown away, in which something else used up to {:.0} % of its \
         processors (the bound is {:.0} %); end what else runs, or take --noisy, which keeps such rounds",
        held.thrown_away,
        held.thrown_away + held.kept,
        held.share_max * 100.0,
        FOREIGN_SHARE_MAX * 100.0
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(shares: &[f64], is_noisy: bool) -> Result<(Vec<usize>, Held)> {
        let mut turns = shares.iter().copied().enumerate();
        let extent = Extent { rounds: 2, seconds: 1, is_noisy };
        hold(extent, || turns.next().ok_or_else(|| anyhow::anyhow!("no more rounds")))
    }

    #[test]
    fn a_round_beside_others_is_repeated_and_counted() {
        let (rounds, held) = run(&[0.01, 0.3, 0.02, 0.0], false).unwrap();
        assert_eq!(rounds, [0, 2]);
        assert_eq!(held, Held { kept: 2, thrown_away: 1, share_max: 0.3, kept_share_max: 0.02 });
        assert_eq!(held.cells("list"), ["list", "2", "1", "30 %", "2 %"]);
    }

    #[test]
    fn a_noisy_run_keeps_every_round_and_says_how_noisy_it_was() {
        let (rounds, held) = run(&[0.5, 0.3, 0.0], true).unwrap();
        assert_eq!(rounds, [0, 1]);
        assert_eq!(held, Held { kept: 2, thrown_away: 0, share_max: 0.5, kept_share_max: 0.5 });
    }

    #[test]
    fn a_machine_that_is_never_quiet_is_given_up() {
        let error = run(&[0.4; 20], false).unwrap_err().to_string();
        assert!(
            error.contains("7 of 7 rounds") && error.contains("40 %") && error.contains("--noisy"),
            "{error}"
        );
    }
}
