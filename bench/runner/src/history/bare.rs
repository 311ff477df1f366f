//! Runs the bare driver, which reads the rows of history pages.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use pointbook_operate::pointbook::release_binary;

/// Days to a page, as in pointbook.
const DAYS: &str = "15";

/// The result of a round of the driver.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bare {
    /// Pages read per second.
    pub(super) rate: f64,
    /// Processor time of each page, in microseconds.
    pub(super) cpu_us: f64,
}

/// Reads the newest pages of random users, on one thread per processor.
pub(super) fn read(database: &Path, users: &str, seconds: u32) -> Result<Bare> {
    let threads = std::thread::available_parallelism()?.to_string();
    let mut command = Command::new(release_binary("bare-history"));
    command.arg(database).args([users, DAYS, &threads, &seconds.to_string()]);
    let output = command.output().context("cannot run bare-history")?;
    ensure!(output.status.success(), "bare-history: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout)?;
    parse(&text).with_context(|| format!("bare-history printed {text:?}"))
}

/// Reads per second, microseconds of each, rows of each.
fn parse(text: &str) -> Option<Bare> {
    let mut figures = text.split_whitespace().map(|figure| figure.parse().ok());
    Some(Bare { rate: figures.next()??, cpu_us: figures.next()?? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_and_processor_time_are_read() {
        assert_eq!(parse("21919 23.88 51.0\n"), Some(Bare { rate: 21_919.0, cpu_us: 23.88 }));
        assert_eq!(parse("no such table\n"), None);
    }
}
