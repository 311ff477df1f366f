//! Sends requests to a server with `wrk`, and reads their cost.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use pointbook_operate::processor_time::Threads;

use super::requests::Target;

/// How many connections `wrk` keeps busy from one thread for reads.
pub(super) const CONNECTIONS: u32 = 32;

/// Longer than any response takes.
const TIMEOUT: &str = "30s";

/// The result of one round.
#[derive(Debug, Clone, Copy)]
pub(super) struct Round {
    /// Processor time of the server per request, in microseconds. NaN when its process is not known.
    pub(super) cpu_us: f64,
    /// Requests per second.
    pub(super) rate: f64,
    /// Error responses per second.
    pub(super) refused: f64,
    /// Median time from a request to its response, in milliseconds.
    pub(super) p50_ms: f64,
    /// 99th percentile of this time, in milliseconds.
    pub(super) p99_ms: f64,
}

/// The load of a round: each connection sends its next request after each response.
pub(super) struct Load<'r> {
    /// The Lua script that generates the requests.
    pub(super) script: &'r Path,
    pub(super) connections: u32,
    pub(super) seconds: u32,
}

/// Sends requests for one round.
///
/// # Errors
/// When a response is an error or missing.
pub(super) fn run(target: &Target, load: &Load<'_>) -> Result<Round> {
    let round = run_overloaded(target, load)?;
    ensure!(round.refused <= 0.0, "{:.0} responses per second were errors", round.refused);
    Ok(round)
}

/// Like [`run`], but error responses are allowed.
///
/// # Errors
/// When a response is missing.
pub(super) fn run_overloaded(target: &Target, load: &Load<'_>) -> Result<Round> {
    let used = || target.process.map(Threads::of).transpose();
    let before = used()?;
    let output = wrk(target, load).output().context("cannot run wrk: apt-get install wrk")?;
    let cpu_us = used()?.zip(before).map_or(f64::NAN, |(after, before)| after.us_since(&before));
    let text = String::from_utf8(output.stdout)?;
    let is_well = output.status.success() && !text.contains("Socket errors");
    ensure!(is_well, "wrk ended with {}:\n{text}{}", output.status, String::from_utf8_lossy(&output.stderr));
    let Figures { requests, refused, rate, p50_ms, p99_ms } =
        parse(&text).with_context(|| format!("wrk printed:\n{text}"))?;
    ensure!(requests > 0.0, "no response in {} s", load.seconds);
    Ok(Round { cpu_us: cpu_us / requests, rate, refused: refused / requests * rate, p50_ms, p99_ms })
}

fn wrk(target: &Target, load: &Load<'_>) -> Command {
    let Load { script, connections, seconds } = load;
    let mut command = Command::new("wrk");
    command.args([
        "-t1",
        "--latency",
        "--timeout",
        TIMEOUT,
        "-c",
        &connections.to_string(),
        "-d",
        &format!("{seconds}s"),
    ]);
    command.arg("-s").arg(script).arg(format!("http://{}/", target.address));
    command
}

/// The figures that `wrk` prints.
#[derive(Debug, PartialEq)]
struct Figures {
    requests: f64,
    refused: f64,
    rate: f64,
    p50_ms: f64,
    p99_ms: f64,
}

fn parse(text: &str) -> Option<Figures> {
    let after = |word: &str| text.lines().find_map(|line| line.trim().strip_prefix(word));
    let requests = text.lines().find_map(|line| line.split_once(" requests in ")?.0.trim().parse().ok())?;
    let refused = after("Non-2xx or 3xx responses:").map_or(Some(0.0), |count| count.trim().parse().ok())?;
    let rate = after("Requests/sec:")?.trim().parse().ok()?;
    let (p50_ms, p99_ms) = (milliseconds(after("50%")?)?, milliseconds(after("99%")?)?);
    Some(Figures { requests, refused, rate, p50_ms, p99_ms })
}

/// Reads a time with its unit: `us`, `ms` or `s`.
fn milliseconds(text: &str) -> Option<f64> {
    let text = text.trim();
    let (number, factor) = None
        .or_else(|| Some((text.strip_suffix("us")?, 0.001)))
        .or_else(|| Some((text.strip_suffix("ms")?, 1.0)))
        .or_else(|| Some((text.strip_suffix('s')?, 1_000.0)))?;
    Some(number.parse::<f64>().ok()? * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_rate_and_times_are_read() {
        let text = "  1 threads and 32 connections\n  Latency Distribution\n     50%  480.00us\n     75%    1.20ms\n     \
                    99%    1.02s\n  71037 requests in 1.10s, 0.92GB read\nRequests/sec:  64577.93\n";
        let figures =
            |refused| Figures { requests: 71_037.0, refused, rate: 64_577.93, p50_ms: 0.48, p99_ms: 1_020.0 };
        assert_eq!(parse(text), Some(figures(0.0)));
        assert_eq!(parse(&format!("{text}  Non-2xx or 3xx responses: 12\n")), Some(figures(12.0)));
        assert_eq!(parse("unable to connect"), None);
    }
}
