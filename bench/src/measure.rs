//! Rounds in which all sides take turns, and the table of their figures: medians, and ratios within one round.

use std::fmt::Write as _;

use anyhow::{Context as _, Result};
use xtask::operate::pointbook::announce;

use crate::scenarios::Scenario;
use crate::subject::Subject;

/// What a turn measured, by the name of its column. NaN when it could not be measured.
pub(crate) type Figures = Vec<(&'static str, f64)>;

/// One of the things that a scenario compares. The first one is the reference of the others.
pub(crate) struct Side {
    pub(crate) label: String,
    pub(crate) turn: Turn,
}

type Turn = Box<dyn FnMut() -> Result<Figures>>;

impl Side {
    pub(crate) fn new(label: impl Into<String>, turn: impl FnMut() -> Result<Figures> + 'static) -> Self {
        Self { label: label.into(), turn: Box::new(turn) }
    }
}

/// The figures of a side of a subject in each round.
struct Line {
    side: String,
    subject: &'static str,
    rounds: Vec<Figures>,
}

/// The figures of all sides: those of the first side for each subject, then those of the next side.
pub(crate) struct Measured {
    scenario: String,
    lines: Vec<Line>,
    subjects: usize,
}

/// Measures a scenario. Sides and subjects take turns in each round, so that other load of the machine affects all of them.
pub(crate) fn run(scenario: &Scenario, subjects: &[Subject], rounds: usize) -> Result<Measured> {
    announce(&scenario.name);
    let mut opened = Vec::new();
    for subject in subjects {
        let sides = (scenario.open)(subject).with_context(|| subject.label.to_owned())?;
        opened.push(sides.into_iter());
    }
    let (mut lines, mut turns): (Vec<Line>, Vec<Turn>) = (Vec::new(), Vec::new());
    while let Some(sides) = opened.iter_mut().map(Iterator::next).collect::<Option<Vec<Side>>>() {
        for (subject, side) in subjects.iter().zip(sides) {
            lines.push(Line { side: side.label, subject: subject.label, rounds: Vec::new() });
            turns.push(side.turn);
        }
    }
    let rounds = if scenario.is_once {
        1
    } else {
        // A round that warms up.
        turns.iter_mut().try_for_each(|turn| turn().map(drop))?;
        rounds
    };
    for _ in 0..rounds {
        for (line, turn) in lines.iter_mut().zip(&mut turns) {
            line.rounds.push(turn()?);
        }
    }
    eprintln!("done");
    Ok(Measured { scenario: scenario.name.clone(), lines, subjects: subjects.len() })
}

impl Measured {
    fn columns(&self) -> Vec<&'static str> {
        let mut columns = Vec::new();
        for (column, _) in self.lines.iter().flat_map(|line| line.rounds.iter().flatten()) {
            if !columns.contains(column) {
                columns.push(*column);
            }
        }
        columns
    }

    /// The cells of each line, and below them those of the ratios.
    fn rows(&self, columns: &[&str]) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        let mut add = |label: String, cell: &dyn Fn(&str) -> String| {
            let name = if rows.is_empty() { self.scenario.clone() } else { String::new() };
            rows.push([name, label].into_iter().chain(columns.iter().map(|column| cell(column))).collect());
        };
        for line in &self.lines {
            let names = [line.side.as_str(), if self.subjects > 1 { line.subject } else { "" }];
            add(names.join(" ").trim().to_owned(), &|column| spread(line.values(column)));
        }
        for (label, over, under) in self.ratios() {
            add(label, &|column| {
                spread(over.values(column).zip(under.values(column)).map(|(over, under)| over / under))
            });
        }
        rows
    }

    /// Which lines are compared: the subjects for each side, then the other sides of the first subject with its first one.
    fn ratios(&self) -> Vec<(String, &Line, &Line)> {
        let sides: Vec<&[Line]> = self.lines.chunks(self.subjects).collect();
        let mut ratios = Vec::new();
        for side in &sides {
            if let [ours, other] = side {
                let label = format!("{} {} / {}", ours.side, ours.subject, other.subject);
                ratios.push((label.trim().to_owned(), ours, other));
            }
        }
        for side in sides.iter().skip(1) {
            let (over, under) = (&side[0], &sides[0][0]);
            let first = if under.side.is_empty() { "the first side" } else { under.side.as_str() };
            ratios.push((format!("{} / {first}", over.side), over, under));
        }
        ratios
    }
}

impl Line {
    fn values<'l>(&'l self, column: &'l str) -> impl Iterator<Item = f64> + use<'l> {
        self.rounds.iter().map(move |figures| {
            figures.iter().find(|(name, _)| *name == column).map_or(f64::NAN, |(_, value)| *value)
        })
    }
}

/// The median, and the minimum and the maximum unless all are the same. Empty when a value is missing.
fn spread(values: impl Iterator<Item = f64>) -> String {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    let (Some(min), Some(max)) = (sorted.first(), sorted.last()) else { return String::new() };
    if sorted.iter().any(|value| !value.is_finite()) {
        return String::new();
    }
    let median = f64::midpoint(sorted[(sorted.len() - 1) / 2], sorted[sorted.len() / 2]);
    let digits = if median < 10.0 { 2 } else { usize::from(median < 1_000.0) };
    let [median, min, max] = [median, *min, *max].map(|value| format!("{value:.digits$}"));
    if min == max { median } else { format!("{median} ({min}-{max})") }
}

/// The table of all scenarios. It has a new head where the columns change.
#[derive(Default)]
pub(crate) struct Table {
    columns: Vec<&'static str>,
}

impl Table {
    /// The next rows as Markdown.
    pub(crate) fn add(&mut self, measured: &Measured) -> String {
        let (columns, mut text) = (measured.columns(), String::new());
        let rows = measured.rows(&columns);
        if columns != self.columns {
            // Writing to a string cannot fail.
            let _ = write!(text, "\n| scenario | side | {} |\n", columns.join(" | "));
            let _ = writeln!(text, "|---|---|{}", "--:|".repeat(columns.len()));
            self.columns = columns;
        }
        for row in rows {
            let _ = writeln!(text, "| {} |", row.join(" | "));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_is_the_median_with_minimum_and_maximum() {
        assert_eq!(spread([3.0, 1.0, 2.0].into_iter()), "2.00 (1.00-3.00)");
        assert_eq!(spread([4.0, 1.0, 2.0, 9.0].into_iter()), "3.00 (1.00-9.00)");
        assert_eq!(spread([1_234.6].into_iter()), "1235");
        assert_eq!(spread([1.0, f64::NAN].into_iter()), "");
        assert_eq!(spread([1.0, f64::INFINITY].into_iter()), "");
        assert_eq!(spread(std::iter::empty()), "");
    }

    fn line(side: &str, subject: &'static str, rounds: &[f64]) -> Line {
        let rounds = rounds.iter().map(|value| vec![("us", *value)]).collect();
        Line { side: side.to_owned(), subject, rounds }
    }

    #[test]
    fn sides_are_compared_with_the_first_within_a_round() {
        let lines = vec![
            line("plain", "this build", &[1.0, 3.0, 5.0]),
            line("gzip", "this build", &[2.0, 9.0, 20.0]),
        ];
        let measured = Measured { scenario: "list".to_owned(), lines, subjects: 1 };
        let text = "\n| scenario | side | us |\n|---|---|--:|\n\
                    | list | plain | 3.00 (1.00-5.00) |\n|  | gzip | 9.00 (2.00-20.00) |\n\
                    |  | gzip / plain | 3.00 (2.00-4.00) |\n";
        let mut table = Table::default();
        assert_eq!(table.add(&measured), text);
        assert!(table.add(&measured).starts_with("| list |"), "one head for the same columns");
    }

    #[test]
    fn subjects_are_compared_side_by_side() {
        let lines = vec![
            line("plain", "this build", &[1.0]),
            line("plain", "the other", &[2.0]),
            line("gzip", "this build", &[3.0]),
            line("gzip", "the other", &[4.0]),
        ];
        let measured = Measured { scenario: "list".to_owned(), lines, subjects: 2 };
        let rows = measured.rows(&measured.columns());
        let labels: Vec<&str> = rows.iter().map(|row| row[1].as_str()).collect();
        let expected = [
            "plain this build",
            "plain the other",
            "gzip this build",
            "gzip the other",
            "plain this build / the other",
            "gzip this build / the other",
            "gzip / plain",
        ];
        assert_eq!(labels, expected);
        assert_eq!((rows[4][2].as_str(), rows[6][2].as_str()), ("0.50", "3.00"));
    }
}
