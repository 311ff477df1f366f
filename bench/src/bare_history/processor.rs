//! The processor time of this process.

use std::fs;

use anyhow::{Context, Result};

/// The user and system time of this process, in microseconds.
pub(super) fn micros() -> Result<u64> {
    /// Linux counts in hundredths of a second.
    const TICK_MICROS: u64 = 10_000;
    let stat =
        fs::read_to_string("/proc/self/stat").context("cannot read /proc/self/stat, which only Linux has")?;
    // The second word is the program's name in parentheses and may contain spaces. Words 14 and 15 are times.
    let (_, words) = stat.rsplit_once(") ").context("no name")?;
    let times = words.split(' ').skip(11).take(2).map(str::parse::<u64>);
    Ok(times.sum::<Result<u64, _>>()? * TICK_MICROS)
}
