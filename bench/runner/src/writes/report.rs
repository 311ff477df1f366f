//! The tables of the writes: medians with their bounds, and ratios within one round.

use super::super::context::Bench;
use super::super::load::Round;
use super::super::spread::Spread;
use super::{Beside, Measured};

const TITLE: &str = "Writes beside the bare driver";
const HEAD: &[&str] = &[
    "scenario",
    "clients",
    "requests/s",
    "p50 ms",
    "p99 ms",
    "CPU us",
    "bare, grouped",
    "of that",
    "bare, one per commit",
    "times that",
];
const BESIDE_TITLE: &str = "Histories of 500 rows beside 64 clients that write";
const BESIDE_HEAD: &[&str] =
    &["scenario", "readers", "p50 ms", "p99 ms", "p50 beside writers", "p99 beside", "p99 ratio", "writes/s"];

/// Adds a row of writes.
pub(super) fn add(bench: &Bench, measured: &Measured) {
    bench.row(TITLE, HEAD, measured.cells());
}

/// Adds a row of reads beside writes.
pub(super) fn add_beside(bench: &Bench, beside: &Beside) {
    bench.row(BESIDE_TITLE, BESIDE_HEAD, beside.cells());
}

impl Measured {
    fn cells(&self) -> Vec<String> {
        let ours = |figure: fn(&Round) -> f64| Spread::of(self.rounds.iter().map(|(ours, ..)| figure(ours)));
        let grouped = Spread::of(self.rounds.iter().map(|(_, grouped, _)| *grouped));
        let of_grouped = Spread::of(self.rounds.iter().map(|(ours, grouped, _)| ours.rate / grouped));
        let single = Spread::of(self.rounds.iter().map(|(.., single)| *single));
        let times_single = Spread::of(self.rounds.iter().map(|(ours, _, single)| ours.rate / single));
        vec![
            self.kind.name().to_owned(),
            self.clients.to_string(),
            ours(|round| round.rate).whole(),
            format!("{:.2}", ours(|round| round.p50_ms).median),
            format!("{:.2}", ours(|round| round.p99_ms).median),
            format!("{:.1}", ours(|round| round.cpu_us).median),
            format!("{:.0}", grouped.median),
            of_grouped.to_string(),
            format!("{:.0}", single.median),
            times_single.to_string(),
        ]
    }
}

impl Beside {
    fn cells(&self) -> Vec<String> {
        let quiet =
            |figure: fn(&Round) -> f64| Spread::of(self.rounds.iter().map(|(quiet, ..)| figure(quiet)));
        let busy =
            |figure: fn(&Round) -> f64| Spread::of(self.rounds.iter().map(|(_, busy, _)| figure(busy)));
        let ratio = Spread::of(self.rounds.iter().map(|(quiet, busy, _)| busy.p99_ms / quiet.p99_ms));
        let writes = Spread::of(self.rounds.iter().map(|(.., writes)| *writes));
        vec![
            "beside writes".to_owned(),
            self.readers.to_string(),
            format!("{:.2}", quiet(|round| round.p50_ms).median),
            quiet(|round| round.p99_ms).to_string(),
            format!("{:.2}", busy(|round| round.p50_ms).median),
            busy(|round| round.p99_ms).to_string(),
            ratio.to_string(),
            format!("{:.0}", writes.median),
        ]
    }
}
