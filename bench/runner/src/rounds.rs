//! Repeats rounds, and discards those in which other programs used the processors.

use anyhow::{Result, bail};

/// The share of all processors that other programs may use in a round that counts.
pub(super) const FOREIGN_SHARE_MAX: f64 = 0.05;
/// How many rounds per wanted round are discarded until the run fails.
const THROWN_AWAY_PER_ROUND: usize = 3;

/// How many rounds are wanted, how long each takes, and whether disturbed rounds count.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    pub(super) rounds: usize,
    pub(super) seconds: u32,
    pub(super) is_noisy: bool,
}

/// The numbers of kept and discarded rounds of a scenario, and the use of the processors by other programs.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub(super) struct RoundSummary {
    kept: usize,
    thrown_away: usize,
    /// The largest share of others in all rounds.
    share_max: f64,
    /// The largest share of others in the rounds that count.
    kept_share_max: f64,
}

impl RoundSummary {
    /// The cells of the table row.
    pub(super) fn cells(&self, scenario: &str) -> Vec<String> {
        let percent = |share: f64| format!("{:.0} %", share * 100.0);
        let counts = [self.kept.to_string(), self.thrown_away.to_string()];
        let shares = [percent(self.share_max), percent(self.kept_share_max)];
        [scenario.to_owned()].into_iter().chain(counts).chain(shares).collect()
    }
}

/// Repeats a round until enough of them count. A round returns its measurement and the share of the processors that
/// other programs used.
///
/// # Errors
/// When a round fails, or when too many do not count.
pub(super) fn repeat<T>(
    extent: Extent,
    mut round: impl FnMut() -> Result<(T, f64)>,
) -> Result<(Vec<T>, RoundSummary)> {
    let (mut rounds, mut summary) = (Vec::with_capacity(extent.rounds), RoundSummary::default());
    while rounds.len() < extent.rounds {
        let (measured, share) = round()?;
        summary.share_max = summary.share_max.max(share);
        if share > FOREIGN_SHARE_MAX && !extent.is_noisy {
            summary.thrown_away += 1;
            give_up(extent, &summary)?;
            continue;
        }
        summary.kept_share_max = summary.kept_share_max.max(share);
        rounds.push(measured);
        summary.kept = rounds.len();
    }
    Ok((rounds, summary))
}

fn give_up(extent: Extent, summary: &RoundSummary) -> Result<()> {
    if summary.thrown_away <= extent.rounds * THROWN_AWAY_PER_ROUND {
        return Ok(());
    }
    bail!(
        "the machine is busy: {} of {} rounds were thrown away, in which something else used up to {:.0} % of its \
         processors (the bound is {:.0} %); end what else runs, or take --noisy, which keeps such rounds",
        summary.thrown_away,
        summary.thrown_away + summary.kept,
        summary.share_max * 100.0,
        FOREIGN_SHARE_MAX * 100.0
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(shares: &[f64], is_noisy: bool) -> Result<(Vec<usize>, RoundSummary)> {
        let mut turns = shares.iter().copied().enumerate();
        let extent = Extent { rounds: 2, seconds: 1, is_noisy };
        repeat(extent, || turns.next().ok_or_else(|| anyhow::anyhow!("no more rounds")))
    }

    #[test]
    fn disturbed_round_is_repeated_and_counted() {
        let (rounds, summary) = run(&[0.01, 0.3, 0.02, 0.0], false).unwrap();
        assert_eq!(rounds, [0, 2]);
        assert_eq!(summary, RoundSummary { kept: 2, thrown_away: 1, share_max: 0.3, kept_share_max: 0.02 });
        assert_eq!(summary.cells("list"), ["list", "2", "1", "30 %", "2 %"]);
    }

    #[test]
    fn noisy_run_keeps_every_round_and_reports_the_share_of_others() {
        let (rounds, summary) = run(&[0.5, 0.3, 0.0], true).unwrap();
        assert_eq!(rounds, [0, 1]);
        assert_eq!(summary, RoundSummary { kept: 2, thrown_away: 0, share_max: 0.5, kept_share_max: 0.5 });
    }

    #[test]
    fn machine_that_is_never_quiet_fails() {
        let error = run(&[0.4; 20], false).unwrap_err().to_string();
        assert!(
            error.contains("7 of 7 rounds") && error.contains("40 %") && error.contains("--noisy"),
            "{error}"
        );
    }
}
