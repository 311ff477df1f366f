//! The committed counts, and how new counts differ from them.

use std::fmt::{self, Write as _};

use anyhow::{Context, Result, ensure};

use super::UPDATE;

/// How far a count may differ from its baseline, in percent of it.
const TOLERANCE_PERCENT: u64 = 5;

/// How far below its baseline a count may be, in percent of it, before the baseline must be updated. A small gain may come
/// from the heap of one machine. A large one would hide a later loss of the same size.
const MAX_GAIN_PERCENT: u64 = 15;

const MACHINE: &str = "machine: ";

/// How many instructions one run of a case takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) name: String,
    pub(super) instructions: u64,
}

/// How counts differ from a baseline, one line per case.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Differences {
    /// Differences that fail: more expensive, much cheaper, new and missing cases.
    pub(super) worse: Vec<String>,
    /// Differences that are only printed: slightly cheaper cases.
    pub(super) cheaper: Vec<String>,
}

/// The counts of a machine. Displays as the committed text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Baseline {
    pub(super) machine: String,
    pub(super) counts: Vec<Count>,
}

impl Baseline {
    /// Reads the committed text.
    pub(super) fn parse(text: &str) -> Result<Self> {
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        let machine =
            lines.next().and_then(|line| line.strip_prefix(MACHINE)).context("the machine is missing")?;
        let counts = lines.map(count).collect::<Result<_>>()?;
        Ok(Self { machine: machine.to_owned(), counts })
    }

    fn find(&self, name: &str) -> Option<u64> {
        self.counts.iter().find(|count| count.name == name).map(|count| count.instructions)
    }

    /// Compares these counts with new ones.
    pub(super) fn differences(&self, counts: &[Count]) -> Differences {
        let mut differences = Differences::default();
        for count in counts {
            self.compare(count, &mut differences);
        }
        let is_gone = |known: &&Count| !counts.iter().any(|count| count.name == known.name);
        for known in self.counts.iter().filter(is_gone) {
            let line = format!("{}: in the baseline, but not counted any more: {UPDATE}", known.name);
            differences.worse.push(line);
        }
        differences
    }

    fn compare(&self, count: &Count, differences: &mut Differences) {
        let Count { name, instructions: now } = count;
        let Some(before) = self.find(name) else {
            return differences
                .worse
                .push(format!("{name}: {now} instructions, not in the baseline: {UPDATE}"));
        };
        let told =
            format!("{name}: {now} instructions, {before} in the baseline: {} times", ratio(before, *now));
        if now.abs_diff(before) * 100 <= before * TOLERANCE_PERCENT {
            return;
        }
        if *now > before {
            return differences.worse.push(told);
        }
        let told = format!("{told}; update the baseline: {UPDATE}");
        let is_large = (before - now) * 100 > before * MAX_GAIN_PERCENT;
        let lines = if is_large { &mut differences.worse } else { &mut differences.cheaper };
        lines.push(told);
    }

    /// A table with the count and the baseline of every case.
    pub(super) fn table(&self, counts: &[Count]) -> String {
        let mut table = "| case | baseline | instructions | ratio |\n|---|--:|--:|--:|\n".to_owned();
        for Count { name, instructions } in counts {
            let known = self.find(name);
            let before = known.map_or_else(String::new, |before| before.to_string());
            let ratio = known.map_or_else(String::new, |before| ratio(before, *instructions));
            // Writing to a string cannot fail.
            let _ = writeln!(table, "| {name} | {before} | {instructions} | {ratio} |");
        }
        table
    }
}

/// A line of the committed text: the count, then the name.
fn count(line: &str) -> Result<Count> {
    let parts = line.trim_start().split_once("  ");
    let (instructions, name) = parts.with_context(|| format!("{line:?} is not a count and a name"))?;
    let instructions =
        instructions.parse().with_context(|| format!("{line:?} does not begin with a count"))?;
    ensure!(instructions > 0, "{line:?}: the count must be at least 1");
    Ok(Count { name: name.to_owned(), instructions })
}

/// The ratio with three digits after the decimal point.
fn ratio(before: u64, now: u64) -> String {
    let thousandths = (now * 1_000 + before / 2) / before;
    format!("{}.{:03}", thousandths / 1_000, thousandths % 1_000)
}

impl fmt::Display for Baseline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "# How many instructions one run of each case of bench/src/instructions takes, by callgrind."
        )?;
        writeln!(f, "# Written by `{UPDATE}`.")?;
        writeln!(f, "{MACHINE}{}", self.machine)?;
        self.counts.iter().try_for_each(|count| writeln!(f, "{:>9}  {}", count.instructions, count.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(of: &[(&str, u64)]) -> Vec<Count> {
        of.iter()
            .map(|(name, instructions)| Count { name: (*name).to_owned(), instructions: *instructions })
            .collect()
    }

    fn baseline(of: &[(&str, u64)]) -> Baseline {
        Baseline { machine: "a machine".to_owned(), counts: counts(of) }
    }

    #[test]
    fn written_baseline_is_read_again() {
        let written = baseline(&[("list, page 1", 2_486), ("GET detail", 1_234_567_890)]);
        assert_eq!(Baseline::parse(&written.to_string()).unwrap(), written);
    }

    #[test]
    fn malformed_baseline_is_refused() {
        for text in ["", "1  list\n", "machine: m\nlist\n", "machine: m\nx  list\n", "machine: m\n0  list\n"]
        {
            assert!(Baseline::parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn count_may_grow_by_five_percent_and_shrink_by_fifteen() {
        let known = baseline(&[("list", 1_000)]);
        let lines = |now| known.differences(&counts(&[("list", now)]));
        assert!([950, 1_000, 1_050].into_iter().all(|now| lines(now) == Differences::default()));
        assert_eq!(lines(1_051).worse, ["list: 1051 instructions, 1000 in the baseline: 1.051 times"]);
        assert!(lines(1_051).cheaper.is_empty());
        let cheaper = "list: 949 instructions, 1000 in the baseline: 0.949 times; update the baseline: \
                       cargo benchmark --instructions --update";
        assert_eq!(lines(949), Differences { worse: Vec::new(), cheaper: vec![cheaper.to_owned()] });
        assert_eq!((lines(850).cheaper.len(), lines(849).cheaper.len()), (1, 0));
        assert_eq!(lines(849).worse.len(), 1);
    }

    #[test]
    fn new_and_missing_cases_are_named() {
        let found = baseline(&[("gone", 7), ("list", 9)]).differences(&counts(&[("new", 5), ("list", 9)]));
        let expected = [
            "new: 5 instructions, not in the baseline: cargo benchmark --instructions --update",
            "gone: in the baseline, but not counted any more: cargo benchmark --instructions --update",
        ];
        assert_eq!(found.worse, expected);
    }

    #[test]
    fn the_table_has_every_case() {
        let table = baseline(&[("list", 1_000)]).table(&counts(&[("list", 1_010), ("new", 5)]));
        let lines: Vec<_> = table.lines().skip(2).collect();
        assert_eq!(lines, ["| list | 1000 | 1010 | 1.010 |", "| new |  | 5 |  |"]);
    }
}
