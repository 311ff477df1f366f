//! Ten times as many clients as the writer needs for its peak rate.

use anyhow::Result;

use super::super::context::Bench;
use super::super::load::Round;
use super::super::record::Bound;
use super::super::spread::Spread;
use super::{Contest, Kind};

/// The number of clients for the peak, and its multiple for the overload.
const CLIENTS: u32 = 64;
const TIMES: u32 = 10;
const HEAD: &[&str] = &["scenario", "peak/s", "its p99 ms", "served/s", "p99 ms", "refused/s"];

/// Measures activities of many users. `wrk` does not report the times of refused requests separately.
pub(super) fn measure(bench: &Bench, name: &str, contest: &Contest<'_>) -> Result<()> {
    let turn = || {
        let peak = contest.load(Kind::ManyUsers, CLIENTS, contest.seconds)?;
        Ok((peak, contest.overload(Kind::ManyUsers, CLIENTS * TIMES)?))
    };
    turn()?;
    let rounds: Vec<(Round, Round)> = bench.repeat(name, turn)?;
    let served = Spread::of_ratios(&rounds, |round| round.1.rate - round.1.refused, |round| round.0.rate);
    eprintln!("{served} of the peak");
    bench.judge(name, "at least 0.90 of the peak is served", served, Bound::AtLeast(0.9));
    let figures = Spread::of_each(
        &rounds,
        [
            |round| round.0.rate,
            |round| round.0.p99_ms,
            |round| round.1.rate - round.1.refused,
            |round| round.1.p99_ms,
            |round| round.1.refused,
        ],
    );
    let cells = figures.map(|figure| figure.to_string());
    bench.row(
        "Writes of ten times as many clients",
        HEAD,
        [name.to_owned()].into_iter().chain(cells).collect(),
    );
    Ok(())
}
