//! Measures how much other programs used the processors during a measurement.

use std::collections::HashMap;
use std::fs;
use std::time::Instant;

use anyhow::{Context, Result};

/// The kernel counts processor time in hundredths of a second.
const TICKS_PER_SECOND: f64 = 100.0;
/// The kernel rounds the count of each process. A difference up to this size may be rounding.
const ROUNDING_TICKS: u64 = 3;

/// The start of a measurement of processor use.
pub(super) struct Watch {
    begun: Instant,
    busy_ticks: u64,
    our_ticks: u64,
    /// A process that belongs to the measurement although this one did not start it, such as a database's.
    other: Option<u32>,
}

impl Watch {
    /// Starts a measurement.
    pub(super) fn start(other: Option<u32>) -> Result<Self> {
        Ok(Self { begun: Instant::now(), busy_ticks: busy_ticks()?, our_ticks: our_ticks(other)?, other })
    }

    /// The share of all processors that others used since the start: neither this process, nor its descendants, nor `other`
    /// with its descendants. Time that a hypervisor gave to others counts too.
    pub(super) fn foreign_share(&self) -> Result<f64> {
        let processors = std::thread::available_parallelism()?.get();
        let (busy, ours) = (busy_ticks()?, our_ticks(self.other)?);
        #[expect(clippy::cast_precision_loss, reason = "a number of processors")]
        let capacity = self.begun.elapsed().as_secs_f64() * TICKS_PER_SECOND * processors as f64;
        Ok(share(busy - self.busy_ticks, ours.saturating_sub(self.our_ticks), capacity))
    }
}

#[expect(clippy::cast_precision_loss, reason = "ticks of some seconds")]
fn share(busy: u64, ours: u64, capacity: f64) -> f64 {
    busy.saturating_sub(ours + ROUNDING_TICKS) as f64 / capacity
}

fn busy_ticks() -> Result<u64> {
    parse_busy(&fs::read_to_string("/proc/stat")?).context("/proc/stat has no line of all processors")
}

/// The sum of user, nice, system, irq, softirq and steal in the first line, without idle and iowait.
fn parse_busy(stat: &str) -> Option<u64> {
    let mut fields = stat.lines().next()?.strip_prefix("cpu ")?.split_whitespace();
    let mut take = |count: usize| fields.by_ref().take(count).map(|field| field.parse::<u64>().ok()).sum();
    let (used, _, interrupted): (Option<u64>, Option<u64>, Option<u64>) = (take(3), take(2), take(3));
    Some(used? + interrupted?)
}

/// The ticks of this process, the other process, and their descendants.
fn our_ticks(other: Option<u32>) -> Result<u64> {
    let processes: HashMap<u32, Process> = fs::read_dir("/proc")?
        .filter_map(|entry| {
            let id = entry.ok()?.file_name().to_str()?.parse().ok()?;
            Some((id, Process::parse(&fs::read_to_string(format!("/proc/{id}/stat")).ok()?)?))
        })
        .collect();
    Ok(ticks_below(&processes, &[Some(std::process::id()), other]))
}

fn ticks_below(processes: &HashMap<u32, Process>, roots: &[Option<u32>]) -> u64 {
    let is_below = |mut id: u32| {
        while !roots.contains(&Some(id)) {
            match processes.get(&id) {
                Some(process) if process.parent != id => id = process.parent,
                _ => return false,
            }
        }
        true
    };
    processes.iter().filter(|(id, _)| is_below(**id)).map(|(_, process)| process.ticks).sum()
}

/// A process as in `/proc/PID/stat`.
struct Process {
    parent: u32,
    /// Its time, plus the time of its children that have ended.
    ticks: u64,
}

impl Process {
    fn parse(stat: &str) -> Option<Self> {
        // The name in parentheses may contain any character.
        let mut fields = stat.rsplit_once(") ")?.1.split(' ').skip(1);
        let parent = fields.next()?.parse().ok()?;
        let ticks = fields.skip(9).take(4).map(|field| field.parse::<u64>().ok()).sum::<Option<u64>>()?;
        Some(Self { parent, ticks })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_time_is_not_busy_and_stolen_time_is() {
        let stat = "cpu  100 20 3 5000 600 7 8 9 50 60\ncpu0 1 1 1 1 1 1 1 1 1 1\n";
        assert_eq!(parse_busy(stat), Some(100 + 20 + 3 + 7 + 8 + 9));
        assert_eq!(parse_busy("intr 5\n"), None);
    }

    #[test]
    fn process_with_any_name_is_read() {
        let process = Process::parse("7 (a) b) S 3 7 7 0 -1 4194560 1 2 3 4 50 6 70 8 20 0").unwrap();
        assert_eq!((process.parent, process.ticks), (3, 50 + 6 + 70 + 8));
    }

    #[test]
    fn descendants_count_as_ours() {
        let process = |parent, ticks| Process { parent, ticks };
        let processes = HashMap::from([
            (1, process(0, 1_000)),
            (10, process(1, 1)),
            (11, process(10, 20)),
            (12, process(11, 300)),
            (50, process(1, 4_000)),
            (60, process(1, 50_000)),
        ]);
        assert_eq!(ticks_below(&processes, &[Some(10), None]), 321);
        assert_eq!(ticks_below(&processes, &[Some(10), Some(50)]), 4_321);
    }

    #[test]
    fn share_is_that_of_all_processors() {
        assert!((share(153, 130, 200.0) - 0.1).abs() < 1e-9);
        assert!(share(133, 130, 4.0) < 1e-9, "a round of two ticks is too short for rounding to count");
        assert!(share(100, 130, 200.0) < 1e-9);
    }
}
