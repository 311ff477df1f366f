//! The tables of the writes: medians with their bounds, and ratios within one round.

use super::super::load::Round;
use super::super::report::Spread;
use super::{Beside, Measured, WRITERS};

/// Prints the tables as Markdown.
pub(super) fn print(measured: &[Measured], beside: &[Beside]) {
    if !measured.is_empty() {
        println!(
            "| scenario | clients | requests/s | p50 ms | p99 ms | CPU us | bare, grouped | of that | bare, one per commit | times that |"
        );
        println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    }
    for one in measured {
        println!("{}", one.row());
    }
    if !beside.is_empty() {
        println!(
            "\n| history, 500 rows | readers | p50 ms | p99 ms | p50 beside {WRITERS} writers | p99 beside | p99 ratio | writes/s |"
        );
        println!("|---|--:|--:|--:|--:|--:|--:|--:|");
    }
    for one in beside {
        println!("{}", one.row());
    }
}

impl Measured {
    fn row(&self) -> String {
        let ours = |figure: fn(&Round) -> f64| Spread::of(self.rounds.iter().map(|(ours, ..)| figure(ours)));
        let grouped = Spread::of(self.rounds.iter().map(|(_, grouped, _)| *grouped));
        let of_grouped = Spread::of(self.rounds.iter().map(|(ours, grouped, _)| ours.rate / grouped));
        let single = Spread::of(self.rounds.iter().map(|(.., single)| *single));
        let times_single = Spread::of(self.rounds.iter().map(|(ours, _, single)| ours.rate / single));
        format!(
            "| {} | {} | {} | {:.2} | {:.2} | {:.1} | {:.0} | {of_grouped} | {:.0} | {times_single} |",
            self.kind.name(),
            self.clients,
            whole(ours(|round| round.rate)),
            ours(|round| round.p50_ms).median,
            ours(|round| round.p99_ms).median,
            ours(|round| round.cpu_us).median,
            grouped.median,
            single.median
        )
    }
}

impl Beside {
    fn row(&self) -> String {
        let quiet =
            |figure: fn(&Round) -> f64| Spread::of(self.rounds.iter().map(|(quiet, ..)| figure(quiet)));
        let busy =
            |figure: fn(&Round) -> f64| Spread::of(self.rounds.iter().map(|(_, busy, _)| figure(busy)));
        let ratio = Spread::of(self.rounds.iter().map(|(quiet, busy, _)| busy.p99_ms / quiet.p99_ms));
        let writes = Spread::of(self.rounds.iter().map(|(.., writes)| *writes));
        format!(
            "| beside writes | {} | {:.2} | {} | {:.2} | {} | {ratio} | {:.0} |",
            self.readers,
            quiet(|round| round.p50_ms).median,
            quiet(|round| round.p99_ms),
            busy(|round| round.p50_ms).median,
            busy(|round| round.p99_ms),
            writes.median
        )
    }
}

fn whole(spread: Spread) -> String {
    format!("{:.0} ({:.0}-{:.0})", spread.median, spread.min, spread.max)
}
