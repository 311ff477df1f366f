//! The results of a run: first the targets, then the tables, then the discarded rounds.

use std::fmt::Write as _;

use super::rounds::RoundSummary;
use super::spread::Spread;

/// All results, printed at the end.
#[derive(Default)]
pub(super) struct Record {
    verdicts: Vec<Verdict>,
    tables: Vec<Table>,
    /// The summary of the rounds of each scenario.
    summaries: Vec<(String, RoundSummary)>,
    /// Cost by catalogue size, for the plot.
    pub(super) points: Vec<Point>,
}

/// A target of the issue, and its measurement.
pub(super) struct Verdict {
    pub(super) scenario: String,
    /// The target in words, with its unit.
    pub(super) target: &'static str,
    pub(super) measured: Spread,
    /// The bound for the median.
    pub(super) bound: Bound,
}

/// A lower or an upper bound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Bound {
    AtMost(f64),
    AtLeast(f64),
}

impl Bound {
    /// Whether the value meets the bound. A missing measurement (NaN) never does.
    fn is_met(self, value: f64) -> bool {
        match self {
            Self::AtMost(bound) => value <= bound,
            Self::AtLeast(bound) => value >= bound,
        }
    }
}

/// A table with rows of several scenarios under one head.
struct Table {
    title: &'static str,
    head: &'static [&'static str],
    rows: Vec<Vec<String>>,
}

/// Processor time of one kind of request at one size of the catalogue.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Point {
    pub(super) series: &'static str,
    pub(super) products: u32,
    pub(super) cpu_us: f64,
}

impl Record {
    /// Adds the result of a target.
    pub(super) fn judge(&mut self, verdict: Verdict) {
        self.verdicts.push(verdict);
    }

    /// Adds a row to the table with this title. The first row creates the table.
    pub(super) fn row(&mut self, title: &'static str, head: &'static [&'static str], cells: Vec<String>) {
        if let Some(table) = self.tables.iter_mut().find(|table| table.title == title) {
            table.rows.push(cells);
        } else {
            self.tables.push(Table { title, head, rows: vec![cells] });
        }
    }

    /// Adds the summary of a scenario's rounds.
    pub(super) fn add_rounds(&mut self, scenario: &str, summary: RoundSummary) {
        self.summaries.push((scenario.to_owned(), summary));
    }

    /// Whether the run measured nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.summaries.is_empty()
    }

    /// The results as Markdown.
    pub(super) fn markdown(&self) -> String {
        let mut text = String::new();
        if !self.verdicts.is_empty() {
            let rows: Vec<_> = self.verdicts.iter().map(Verdict::cells).collect();
            write_table(&mut text, "Targets", &["scenario", "target", "measured", "met"], &rows);
        }
        for table in &self.tables {
            write_table(&mut text, table.title, table.head, &table.rows);
        }
        let rows: Vec<_> = self.summaries.iter().map(|(name, summary)| summary.cells(name)).collect();
        let head =
            ["scenario", "rounds", "thrown away", "of others, at most", "of others where it counts, at most"];
        write_table(&mut text, "Rounds", &head, &rows);
        text
    }
}

impl Verdict {
    fn cells(&self) -> Vec<String> {
        let met = match (self.measured.median.is_nan(), self.bound.is_met(self.measured.median)) {
            (true, _) => "not measured",
            (false, true) => "yes",
            (false, false) => "NO",
        };
        vec![self.scenario.clone(), self.target.to_owned(), self.measured.to_string(), met.to_owned()]
    }
}

/// Writes a table. The first column has words, the others have figures.
fn write_table(text: &mut String, title: &str, head: &[&str], rows: &[Vec<String>]) {
    let line = format!("|---{}|", "|--:".repeat(head.len() - 1));
    // Writing to a string cannot fail.
    let _ = write!(text, "\n### {title}\n\n| {} |\n{line}\n", head.join(" | "));
    for row in rows {
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(median: f64, bound: Bound) -> Verdict {
        let measured = Spread { min: median, median, max: median };
        Verdict { scenario: "a".to_owned(), target: "at most 1.10 times", measured, bound }
    }

    #[test]
    fn target_is_met_by_the_median_and_never_without_a_measurement() {
        let met = |median, bound| verdict(median, bound).cells()[3].clone();
        assert_eq!(met(1.1, Bound::AtMost(1.1)), "yes");
        assert_eq!(met(1.11, Bound::AtMost(1.1)), "NO");
        assert_eq!(met(0.59, Bound::AtLeast(0.6)), "NO");
        assert_eq!(met(f64::NAN, Bound::AtMost(1.1)), "not measured");
    }

    #[test]
    fn rows_of_one_title_are_in_one_table_below_the_targets() {
        let mut record = Record::default();
        assert!(record.is_empty());
        record.add_rounds("list", RoundSummary::default());
        assert!(!record.is_empty());
        record.row("Reads", &["scenario", "us"], vec!["list".to_owned(), "1".to_owned()]);
        record.row("Writes", &["scenario", "us"], vec!["order".to_owned(), "3".to_owned()]);
        record.row("Reads", &["scenario", "us"], vec!["detail".to_owned(), "2".to_owned()]);
        record.judge(verdict(1.0, Bound::AtMost(1.1)));
        let text = record.markdown();
        assert!(
            text.starts_with("\n### Targets\n\n| scenario | target | measured | met |\n|---|--:|--:|--:|\n")
        );
        assert!(text.contains("| list | 1 |\n| detail | 2 |\n"), "{text}");
        assert!(text.contains("| a | at most 1.10 times | 1.00 (1.00-1.00) | yes |"), "{text}");
    }
}
