//! Overload: how much the server still serves, and how a flood of one tenant affects another tenant.
//!
//! The flood consists of the most expensive read, a page of 7,200 rows. Cheap requests cannot overload the server here: the
//! load generator shares the processors with the server and needs longer for a request than the server.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, ensure};
use pointbook_operate::pointbook::Server;

use super::OTHER_BASE_PATH;
use super::context::Bench;
use super::data::ledger::LONG_PAGE;
use super::data::{Database, Dataset};
use super::load::{self, CONNECTIONS, Load, Round};
use super::oha::{OpenLoop, Outcome};
use super::record::Bound;
use super::requests::{Get, Script, Target};
use super::spread::Spread;

const OVERLOAD: &str = "overload, history pages of 7,200 rows";
const FAIRNESS: &str = "fairness between two tenants";
/// The rate of the flood, as a multiple of the peak.
const TIMES: f64 = 10.0;
/// The rate of the flood, as a multiple of the tenant's share, which is half of the peak.
const TIMES_SHARE: f64 = 20.0;
const TENANTS: f64 = 2.0;
const SECONDS: u32 = 3;
/// The least share of the flood that must be sent. On two cores, the generator shares them with the server.
const LEAST_FLOODED: f64 = 0.5;
/// The rate of the other tenant, as a share of its peak without the flood.
const MODEST: f64 = 0.1;
/// How long the server needs at most for the remaining requests of a flood.
const LONGEST_FLOOD: Duration = Duration::from_secs(30);
const PATH: &str = "/v1/user/point-history";

pub(super) fn names() -> Vec<String> {
    vec![OVERLOAD.to_owned(), FAIRNESS.to_owned()]
}

/// Measures the selected scenarios. Both need load at a fixed rate.
pub(super) fn run(bench: &Bench) -> Result<()> {
    if !bench.has_oha {
        return Ok(());
    }
    let tenants = TwoTenants::open()?;
    if bench.wants(OVERLOAD) {
        tenants.measure_overload(bench)?;
    }
    if bench.wants(FAIRNESS) {
        tenants.measure_fairness(bench)?;
    }
    Ok(())
}

/// A server with two tenants.
struct TwoTenants {
    _server: Server,
    greedy: Target,
    modest: Target,
    long_page: Get,
    newest_page: Get,
}

/// The outcome of the other tenant alone, its outcome beside the flood, and the outcome of the flood.
type Turn = (Outcome, (Outcome, Outcome));

impl TwoTenants {
    fn open() -> Result<Self> {
        let Database { pointbook, tokens, .. } = Dataset::Tenants.prepare()?;
        let server = pointbook.serve()?;
        let greedy = Target::of(&server);
        Ok(Self {
            modest: greedy.clone().below(OTHER_BASE_PATH),
            greedy,
            long_page: Get::new(PATH, tokens.of(LONG_PAGE.user)?),
            newest_page: Get::new(PATH, tokens.other_tenant()?),
            _server: server,
        })
    }

    /// Measures the peak: each connection sends its next request after each response.
    fn peak(target: &Target, get: &Get, seconds: u32) -> Result<Round> {
        let script = Script::write("first", target, std::slice::from_ref(get))?;
        load::run(target, &Load { script: &script.file, connections: CONNECTIONS, seconds })
    }

    /// Sends requests for long pages at a fixed rate. Times do not include waiting for a connection, because the server
    /// does not choose their number.
    fn flood(&self, rate: f64, seconds: u32, is_idle: bool) -> Result<Outcome> {
        let gets = std::slice::from_ref(&self.long_page);
        OpenLoop {
            name: "flood",
            target: &self.greedy,
            gets,
            rate,
            connections: connections(rate),
            seconds,
            is_from_due: false,
            is_idle,
        }
        .run()
    }

    /// Waits until the server has finished the flood: it still serves accepted requests of closed connections. Pages come in
    /// the order of requests, so a response to a new request means that all earlier ones are done.
    fn wait_until_flood_ends(&self) -> Result<()> {
        let begun = Instant::now();
        while begun.elapsed() < LONGEST_FLOOD {
            if self.greedy.ask(&self.long_page).is_ok() {
                return Ok(());
            }
        }
        self.greedy.ask(&self.long_page).map(drop)
    }

    fn measure_overload(&self, bench: &Bench) -> Result<()> {
        Self::peak(&self.greedy, &self.long_page, 1)?;
        self.wait_until_flood_ends()?;
        let turn = || {
            let peak = Self::peak(&self.greedy, &self.long_page, SECONDS)?;
            let flooded = self.flood(peak.rate * TIMES, SECONDS, false)?;
            self.wait_until_flood_ends()?;
            Ok((peak, flooded))
        };
        show_overload(bench, &bench.repeat(OVERLOAD, turn)?);
        Ok(())
    }

    fn measure_fairness(&self, bench: &Bench) -> Result<()> {
        let peak = Self::peak(&self.greedy, &self.long_page, SECONDS)?;
        self.wait_until_flood_ends()?;
        let rate = Self::peak(&self.modest, &self.newest_page, 1)?.rate * MODEST;
        let flood = peak.rate / TENANTS * TIMES_SHARE;
        let turn = || {
            let (alone, beside) = (self.ask(rate)?, self.ask_beside(rate, flood)?);
            ensure_flooded(&beside.1, flood)?;
            Ok((alone, beside))
        };
        show_fairness(bench, &bench.repeat(FAIRNESS, turn)?);
        Ok(())
    }

    /// Sends the requests of the modest tenant.
    fn ask(&self, rate: f64) -> Result<Outcome> {
        OpenLoop {
            name: "modest",
            target: &self.modest,
            gets: std::slice::from_ref(&self.newest_page),
            rate,
            connections: CONNECTIONS,
            seconds: SECONDS,
            is_from_due: true,
            is_idle: false,
        }
        .run()
    }

    /// Sends them beside the flood. The flood's generator has idle priority, so that it does not take processor time from the
    /// server.
    fn ask_beside(&self, rate: f64, flood: f64) -> Result<(Outcome, Outcome)> {
        thread::scope(|scope| {
            let flooding = scope.spawn(|| self.flood(flood, SECONDS + 1, true));
            let asked = self.ask(rate)?;
            let flooded = flooding.join().map_err(|_| anyhow!("the flood panicked"))??;
            self.wait_until_flood_ends()?;
            Ok((asked, flooded))
        })
    }
}

/// Adds the row for fairness. Each round has the other tenant alone, and beside the flood.
fn show_fairness(bench: &Bench, rounds: &[Turn]) {
    let ratio = Spread::of_ratios(rounds, |turn| turn.1.0.p99_ms, |turn| turn.0.p99_ms);
    eprintln!("p99 {ratio} times that of alone");
    bench.judge(FAIRNESS, "the other's p99 at most 1.2 times of alone", ratio, Bound::AtMost(1.2));
    let figures = Spread::of_each(
        rounds,
        [
            |turn| turn.0.p50_ms,
            |turn| turn.0.p99_ms,
            |turn| turn.1.0.p50_ms,
            |turn| turn.1.0.p99_ms,
            |turn| turn.1.0.refused + turn.1.0.failed,
            |turn| turn.1.1.served,
            |turn| turn.1.1.refused,
        ],
    );
    let head = &[
        "scenario",
        "p50 ms alone",
        "p99 ms alone",
        "p50 ms beside",
        "p99 ms beside",
        "not served/s",
        "the flood's served/s",
        "its 503/s",
    ];
    let cells = figures.map(|spread| spread.to_string());
    bench.row(
        "A tenant beside another's flood",
        head,
        [FAIRNESS.to_owned()].into_iter().chain(cells).collect(),
    );
}

/// Fails when the generator sent too few requests, because such a flood disturbs no other tenant and shows nothing.
fn ensure_flooded(flooded: &Outcome, wanted: f64) -> Result<()> {
    let asked = flooded.served + flooded.refused + flooded.failed;
    ensure!(
        asked >= wanted * LEAST_FLOODED,
        "the flood sent {asked:.0} requests per second instead of {wanted:.0}"
    );
    Ok(())
}

/// Adds the row for overload. Each round has the peak, and the outcome of the flood after it.
fn show_overload(bench: &Bench, rounds: &[(Round, Outcome)]) {
    let served = Spread::of_ratios(rounds, |round| round.1.served, |round| round.0.rate);
    let p99 = Spread::of_ratios(rounds, |round| round.1.served_p99_ms, |round| round.0.p99_ms);
    eprintln!("{served} of the peak");
    bench.judge(OVERLOAD, "at least 0.90 of the peak is served", served, Bound::AtLeast(0.9));
    bench.judge(
        OVERLOAD,
        "p99 of accepted requests at most 2 times that at the peak",
        p99,
        Bound::AtMost(2.0),
    );
    let spreads = Spread::of_each(
        rounds,
        [
            |round| round.0.rate,
            |round| round.0.p99_ms,
            |round| round.1.served + round.1.refused + round.1.failed,
            |round| round.1.served,
            |round| round.1.served_p99_ms,
            |round| round.1.refused,
            |round| round.1.failed,
        ],
    );
    bench.judge(OVERLOAD, "the rest gets 503: other failures per second", spreads[6], Bound::AtMost(0.0));
    let head = &[
        "scenario",
        "peak/s",
        "its p99 ms",
        "responses/s when overloaded",
        "served/s",
        "p99 ms of these",
        "503/s",
        "failed/s",
    ];
    let cells = spreads.map(|spread| spread.to_string());
    bench.row("Overload", head, [OVERLOAD.to_owned()].into_iter().chain(cells).collect());
}

/// Enough connections for the requests of a quarter of a second.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between its bounds")]
fn connections(rate: f64) -> u32 {
    (rate / 4.0).clamp(128.0, 2_048.0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_of_a_flood_are_bounded() {
        assert_eq!([connections(100.0), connections(4_000.0), connections(1e9)], [128, 1_000, 2_048]);
    }
}
