//! The rows of a report, and their forms.

use std::fmt;
use std::ops::Range;

use pointbook_domain::Day;

use super::small_cells::FEWEST_MEMBERS;
use super::{DayRange, Report};
use crate::Month;

/// A report with its rows.
#[derive(Debug)]
pub struct ReportTable {
    pub report: &'static Report,
    pub range: DayRange,
    /// The time zone of the days.
    pub time_zone: String,
    /// Whether everything in the ledger is counted.
    pub is_complete: bool,
    /// The values are in the order of the columns.
    pub rows: Vec<Vec<Value>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    Day(Day),
    Month(Month),
    Text(String),
    Number(i64),
    /// A number of members that is too small to be shown: 1 to 4.
    Few,
    /// A number from which a small number of members would follow.
    Hidden,
}

impl Value {
    /// A part of a whole in whole percent, rounded half away from 0. A whole of nothing has no parts: 0.
    pub(super) fn percent(part: i64, whole: i64) -> Self {
        let (part, whole) = (i128::from(part), i128::from(whole));
        if whole <= 0 {
            return Self::Number(0);
        }
        let half = if part < 0 { -whole } else { whole };
        Self::Number(i64::try_from((part * 200 + half) / (whole * 2)).unwrap_or_default())
    }
}

/// Adds to each sum. A sum beyond 64 bits stays at the largest number.
pub(super) fn add(sums: &mut [i64], more: impl IntoIterator<Item = i64>) {
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum = sum.saturating_add(more));
}

/// A number of things as a figure.
pub(super) fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The sum of a column.
pub(super) fn sum(rows: &[Vec<Value>], column: usize) -> i64 {
    let number = |row: &Vec<Value>| match row.get(column) {
        Some(Value::Number(number)) => *number,
        _ => 0,
    };
    rows.iter().map(number).fold(0, i64::saturating_add)
}

/// A total with the sums of these columns. The others have none.
pub(super) fn sums(rows: &[Vec<Value>], all: usize, columns: Range<usize>) -> Vec<Option<Value>> {
    (0..all).map(|at| columns.contains(&at).then(|| Value::Number(sum(rows, at)))).collect()
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Day(day) => day.fmt(f),
            Self::Month(month) => month.fmt(f),
            Self::Text(text) => f.write_str(text),
            Self::Number(number) => number.fmt(f),
            Self::Few => write!(f, "<{FEWEST_MEMBERS}"),
            Self::Hidden => Ok(()),
        }
    }
}

impl ReportTable {
    /// The total of the rows, in the order of the columns. A column that cannot be added has `None`, and so has the whole of a report
    /// whose rows have members or points in common.
    pub fn total(&self) -> Option<Vec<Option<Value>>> {
        self.report.total.map(|total| total(&self.rows))
    }

    /// The CSV of RFC 4180, with a line of names. `text` may change texts, for spreadsheets.
    pub fn to_csv(&self, text: impl Fn(String) -> String) -> Vec<u8> {
        let mut lines = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
        let names = self.report.columns.iter().map(|column| column.name.to_owned());
        // A vector takes every byte.
        let _ = lines.write_record(names);
        for row in &self.rows {
            let cell = |value: &Value| match value {
                Value::Text(content) => text(content.clone()),
                other => other.to_string(),
            };
            let _ = lines.write_record(row.iter().map(cell));
        }
        lines.into_inner().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentage_is_rounded_half_away_from_0() {
        for (part, whole, percent) in [
            (1, 3, 33),
            (2, 3, 67),
            (1, 200, 1),
            (-1, 200, -1),
            (1, 201, 0),
            (5, 0, 0),
            (3, 2, 150),
            (i64::MAX, i64::MAX, 100),
        ] {
            assert_eq!(Value::percent(part, whole), Value::Number(percent), "{part} of {whole}");
        }
    }
}
