//! Follows an import while it runs.

use super::Summary;
use super::header::{ESCAPED, JSON_ROW};
use super::rejects::cells;
use super::rows::{Column, RawRow, exact_cell};

/// Learns how an import goes on.
pub trait Watch: Send {
    /// The import refused a row.
    fn rejected(&mut self, row: RejectedRow);

    /// The import stored a batch of rows. `summary` counts these and all before.
    fn stored(&mut self, summary: &Summary);
}

/// A refused row as the input had it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RejectedRow {
    /// The line of the input, from 1.
    pub line: u64,
    pub reason: String,
    /// The columns of a reject file after `line` and `reason`.
    pub columns: Vec<&'static str>,
    pub cells: Vec<Vec<u8>>,
}

impl RejectedRow {
    pub(super) fn of(columns: Option<&[Column]>, row: &RawRow, reason: &str) -> Self {
        let mut found = Vec::new();
        // Collecting cells cannot fail.
        let is_split = cells(row, columns, |cell| {
            found.push(cell.to_vec());
            Ok(())
        });
        let mut names: Vec<_> = columns.unwrap_or(&[Some(JSON_ROW)]).iter().flatten().copied().collect();
        if let Some(at) = names.iter().position(|name| *name == ESCAPED) {
            names.remove(at);
            // A row that was not split is whole in the first cell, and the last one is empty.
            let at = if is_split.is_ok_and(|is_split| is_split) { at } else { found.len().saturating_sub(1) };
            if at < found.len() {
                found.remove(at);
            }
            found.iter_mut().for_each(|cell| *cell = exact_cell(cell));
        }
        Self { line: row.line, reason: reason.to_owned(), columns: names, cells: found }
    }
}
