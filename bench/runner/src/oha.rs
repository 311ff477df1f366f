//! Sends requests at a fixed rate with `oha`, without waiting for responses.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::data;
use super::requests::{Get, Target};

/// The message when `oha` is missing.
pub(super) const MISSING: &str =
    "oha is not installed (cargo install oha): times at a given rate, overload and fairness are not measured";

/// Requests at a fixed rate.
pub(super) struct OpenLoop<'o> {
    /// The name of its files. Concurrent runs need different names.
    pub(super) name: &'o str,
    pub(super) target: &'o Target,
    /// The requests, sent in random order, all with the token of the first.
    pub(super) gets: &'o [Get],
    /// Requests per second.
    pub(super) rate: f64,
    /// The most requests in progress.
    pub(super) connections: u32,
    pub(super) seconds: u32,
    /// Whether times count from when a request was due, or from when a connection was free for it.
    pub(super) is_from_due: bool,
    /// Whether the generator runs at idle priority, because it only creates background load.
    pub(super) is_idle: bool,
}

/// The result of the requests.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Outcome {
    pub(super) p50_ms: f64,
    pub(super) p99_ms: f64,
    /// 99th percentile of the successful requests, in milliseconds.
    pub(super) served_p99_ms: f64,
    /// Successful responses per second.
    pub(super) served: f64,
    /// 503 responses per second.
    pub(super) refused: f64,
    /// Other responses and broken connections per second.
    pub(super) failed: f64,
}

/// Whether `oha` can be started.
pub(super) fn is_there() -> Result<bool> {
    match Command::new("oha").arg("--version").output() {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error).context("cannot run oha"),
    }
}

impl OpenLoop<'_> {
    /// Sends the requests for the given seconds.
    ///
    /// # Errors
    /// When `oha` fails. An error response of the server is part of the outcome.
    pub(super) fn run(&self) -> Result<Outcome> {
        let file = data::folder()?.join(format!("{}.urls", self.name));
        let urls: Vec<String> = self.gets.iter().map(|get| self.target.url(get) + "\n").collect();
        fs::write(&file, urls.concat())?;
        let output = self.command(&file).output().context(MISSING)?;
        let text = String::from_utf8_lossy(&output.stdout);
        ensure!(output.status.success(), "oha: {text}{}", String::from_utf8_lossy(&output.stderr));
        parse(&serde_json::from_str(&text)?).with_context(|| format!("oha printed:\n{text}"))
    }

    fn command(&self, urls: &Path) -> Command {
        let mut command = Command::new(if self.is_idle { "chrt" } else { "oha" });
        if self.is_idle {
            command.args(["--idle", "0", "oha"]);
        }
        command.args(["--no-tui", "--output-format", "json", "--stats-success-breakdown"]);
        if self.is_from_due {
            command.arg("--latency-correction");
        }
        command.args(["-q", &format!("{:.0}", self.rate.max(1.0)), "-c", &self.connections.to_string()]);
        command
            .args(["-z", &format!("{}s", self.seconds), "-A", "application/json", "--urls-from-file"])
            .arg(urls);
        for header in self.gets.first().into_iter().flat_map(Get::header_list) {
            command.args(["-H", &header]);
        }
        command
    }
}

fn parse(report: &Value) -> Option<Outcome> {
    let seconds = report["summary"]["total"].as_f64()?;
    let per_second = |of: &str, is_meant: fn(&str) -> bool| {
        let counts = report[of].as_object()?.iter().filter(|(what, _)| is_meant(what));
        Some(counts.filter_map(|(_, count)| count.as_f64()).fold(0.0, |sum, count| sum + count) / seconds)
    };
    let milliseconds = |of: &str, which: &str| report[of][which].as_f64().map_or(f64::NAN, |s| s * 1_000.0);
    let is_success = |status: &str| status.starts_with('2') || status == "304";
    let all = per_second("statusCodeDistribution", |_| true)?;
    let served = per_second("statusCodeDistribution", is_success)?;
    let refused = per_second("statusCodeDistribution", |status| status == "503")?;
    // Requests in progress at the end are not failures.
    let broken = per_second("errorDistribution", |error| error != "aborted due to deadline")?;
    Some(Outcome {
        p50_ms: milliseconds("latencyPercentiles", "p50"),
        p99_ms: milliseconds("latencyPercentiles", "p99"),
        served_p99_ms: milliseconds("latencyPercentilesSuccessful", "p99"),
        served,
        refused,
        failed: (all - served - refused).max(0.0) + broken,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_are_counted_by_status() {
        let report = serde_json::json!({
            "summary": {"total": 2.0},
            "latencyPercentiles": {"p50": 0.0012, "p99": 0.25},
            "latencyPercentilesSuccessful": {"p99": 0.5},
            "statusCodeDistribution": {"200": 100, "304": 20, "503": 40, "500": 6},
            "errorDistribution": {"aborted due to deadline": 9, "connection closed": 2},
        });
        let outcome = Outcome {
            p50_ms: 1.2,
            p99_ms: 250.0,
            served_p99_ms: 500.0,
            served: 60.0,
            refused: 20.0,
            failed: 4.0,
        };
        assert_eq!(parse(&report), Some(outcome));
    }

    #[test]
    fn malformed_report_is_refused() {
        assert_eq!(parse(&serde_json::json!({"summary": {}})), None);
    }
}
