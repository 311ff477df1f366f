//! Follows an import while it runs.

use super::Problems;

/// Learns how an import goes on.
pub trait Watch: Send {
    /// The import refused a row.
    fn rejected(&mut self, row: RejectedRow);

    /// The import stored a batch of rows.
    fn stored(&mut self, reached: Reached);
}

/// A refused row as the input had it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RejectedRow {
    /// The line of the input, from 1.
    pub line: u64,
    pub reason: String,
    /// The parts of the reason.
    pub problems: Problems,
    /// The columns of a reject file after `line` and `reason`.
    pub columns: Vec<&'static str>,
    pub cells: Vec<Vec<u8>>,
    /// What separates the cells of the input, and of a reject file.
    pub separator: u8,
}

/// How far an import is, with all batches so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reached {
    /// The first line of the last row.
    pub line: u64,
    pub created: u64,
    pub replaced: u64,
    pub unchanged: u64,
    pub rejected: u64,
}
