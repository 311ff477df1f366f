//! Driving a server with `wrk` and reading what it cost.

use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::pointbook::Server;

/// Connections that `wrk` keeps busy from one thread.
const CONNECTIONS: &str = "32";
/// How long one round takes.
const ROUND: &str = "1s";

/// What one round came to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Round {
    /// Processor time of the server per request, in microseconds.
    pub(super) cpu_us: f64,
    /// Requests per second.
    pub(super) rate: f64,
}

/// Sends one kind of request as fast as the server answers, for one round.
pub(super) fn drive(server: &Server, path: &str, token: &str) -> Result<Round> {
    let before = server.cpu_us()?;
    let output = Command::new("wrk")
        .args(["-t1", "-c", CONNECTIONS, "-d", ROUND, "-H", &format!("Authorization: Bearer {token}")])
        .args(["-H", "Accept: application/json", &format!("http://{}{path}", server.address)])
        .output()
        .context("cannot run wrk; it is in Debian's package wrk")?;
    let cpu_us = server.cpu_us()?.checked_sub(before).context("processor time ran backwards")?;
    let text = String::from_utf8(output.stdout)?;
    ensure!(output.status.success() && !text.contains("Non-2xx"), "wrk on {path}:\n{text}");
    let (requests, rate) = parse(&text).with_context(|| format!("wrk printed:\n{text}"))?;
    #[expect(clippy::cast_precision_loss, reason = "microseconds of one second")]
    Ok(Round { cpu_us: cpu_us as f64 / requests, rate })
}

fn parse(text: &str) -> Option<(f64, f64)> {
    let requests = text.lines().find_map(|line| line.split_once(" requests in ")?.0.trim().parse().ok())?;
    let rate = text.lines().find_map(|line| line.strip_prefix("Requests/sec:")?.trim().parse().ok())?;
    Some((requests, rate))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_requests_and_the_rate_are_read() {
        let text = "  1 threads and 32 connections\n  71037 requests in 1.10s, 0.92GB read\nRequests/sec:  64577.93\n";
        assert_eq!(parse(text), Some((71_037.0, 64_577.93)));
        assert_eq!(parse("unable to connect"), None);
    }
}
