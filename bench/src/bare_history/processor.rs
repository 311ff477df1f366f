//! What this process has used of the processors.

use std::fs;

use anyhow::{Context, Result};

/// Its own time and the kernel's for it, in microseconds.
pub(super) fn micros() -> Result<u64> {
    /// Linux counts in hundredths of a second.
    const TICK_MICROS: u64 = 10_000;
    let stat = fs::read_to_string("/proc/self/stat").context("only Linux says what a process used")?;
    // The second word is the program's name in brackets, which may have blanks; the fourteenth and the fifteenth are times.
    let (_, words) = stat.rsplit_once(") ").context("no name")?;
    let times = words.split(' ').skip(11).take(2).map(str::parse::<u64>);
    Ok(times.sum::<Result<u64, _>>()? * TICK_MICROS)
}
