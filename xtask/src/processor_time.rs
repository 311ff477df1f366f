//! What a process and its children have had of the processors.

use std::fs;

use anyhow::{Context, Result};

/// User and system time of a process, of its children, and of those that have ended, in microseconds. Counted by
/// the kernel in ticks of 10 ms.
pub(crate) fn in_us(process: u32) -> Result<u64> {
    const TICK_US: u64 = 10_000;
    let own = Times::of(&process.to_string()).context("a process that is not there")?;
    let others = fs::read_dir("/proc")?.filter_map(|entry| Times::of(entry.ok()?.file_name().to_str()?));
    let children: u64 =
        others.filter(|times| times.parent == u64::from(process)).map(|times| times.ticks).sum();
    Ok((own.ticks + children) * TICK_US)
}

struct Times {
    parent: u64,
    ticks: u64,
}

impl Times {
    /// None where there is no such process (any more).
    fn of(process: &str) -> Option<Self> {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // The name in parentheses may hold anything. Behind it the parent is the second field, user and system
        // time are the 12th and 13th, and those of children that have ended the next two.
        let (_, fields) = stat.rsplit_once(") ")?;
        let number = |field: &str| field.parse::<u64>().ok();
        let parent = fields.split(' ').nth(1).and_then(number)?;
        let ticks = fields.split(' ').skip(11).take(4).map(number).sum::<Option<u64>>()?;
        Some(Self { parent, ticks })
    }
}
