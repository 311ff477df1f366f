//! What a process and its children have had of the processors.

use std::collections::HashMap;
use std::fs;

use anyhow::{Context, Result};

/// The kernel counts in ticks of 10 ms.
const TICK_US: u64 = 10_000;

/// User and system time of a process, of its children, and of those that have ended, in microseconds. Counted by
/// the kernel in ticks of 10 ms.
///
/// # Errors
/// When the process has ended.
pub fn in_us(process: u32) -> Result<u64> {
    let own = Times::of(&process.to_string()).context("a process that is not there")?;
    let others = fs::read_dir("/proc")?.filter_map(|entry| Times::of(entry.ok()?.file_name().to_str()?));
    let children: u64 =
        others.filter(|times| times.parent == u64::from(process)).map(|times| times.ticks).sum();
    Ok((own.ticks + children) * TICK_US)
}

/// What a process has had so far, thread by thread: exact where ticks are too coarse.
pub struct Threads {
    all_us: u64,
    by_thread_ns: HashMap<String, u64>,
}

impl Threads {
    /// Of a process without the children that it may have.
    ///
    /// # Errors
    /// When the process has ended.
    pub fn of(process: u32) -> Result<Self> {
        let times = Times::of(&process.to_string()).context("a process that is not there")?;
        let entries = fs::read_dir(format!("/proc/{process}/task"))?;
        let by_thread_ns = entries
            .filter_map(|entry| {
                let thread = entry.ok()?.file_name().to_str()?.to_owned();
                let text = fs::read_to_string(format!("/proc/{process}/task/{thread}/schedstat")).ok()?;
                Some((thread, text.split(' ').next()?.parse().ok()?))
            })
            .collect();
        Ok(Self { all_us: times.ticks * TICK_US, by_thread_ns })
    }

    /// Microseconds since an earlier moment. A thread that has ended meanwhile took its count with it; then the ticks
    /// of the process say more.
    #[expect(clippy::cast_precision_loss, reason = "microseconds of some minutes")]
    pub fn us_since(&self, before: &Self) -> f64 {
        let earlier = |thread| before.by_thread_ns.get(thread).copied().unwrap_or_default();
        let exact_ns: u64 =
            self.by_thread_ns.iter().map(|(thread, ns)| ns.saturating_sub(earlier(thread))).sum();
        let (exact, coarse) = (exact_ns as f64 / 1_000.0, self.all_us.saturating_sub(before.all_us) as f64);
        // Two counts of ticks differ by up to one tick each.
        if coarse > exact + 2.0 * TICK_US as f64 { coarse } else { exact }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn threads(all_us: u64, by_thread_ns: &[(&str, u64)]) -> Threads {
        Threads {
            all_us,
            by_thread_ns: by_thread_ns.iter().map(|(id, ns)| ((*id).to_owned(), *ns)).collect(),
        }
    }

    #[test]
    fn threads_are_counted_exactly_and_new_ones_from_their_start() {
        let (before, after) = (threads(0, &[("1", 5_000)]), threads(10_000, &[("1", 9_000), ("2", 3_000)]));
        assert!((after.us_since(&before) - 7.0).abs() < 1e-9);
    }

    #[test]
    fn ticks_are_taken_when_a_thread_with_much_of_the_time_has_ended() {
        let (before, after) = (threads(0, &[("1", 0), ("2", 0)]), threads(500_000, &[("1", 9_000)]));
        assert!((after.us_since(&before) - 500_000.0).abs() < 1e-9);
    }
}
