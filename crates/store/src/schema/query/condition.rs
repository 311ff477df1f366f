//! What a row must meet.

use crate::schema::{Cell, Column};

/// How a column compares with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    Below,
    AtMost,
    /// `NULL`, or at most the value.
    NullOrAtMost,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    Equal(Column, Cell),
    /// The column is `NULL` (true) or has a value (false).
    Null(Column, bool),
    /// The value is between the two bounds, both included.
    Between(Column, [Cell; 2]),
    Compared(Column, Comparison, Cell),
    /// The first of the columns that has a value is between the two bounds, both included.
    FirstBetween(Vec<Column>, [Cell; 2]),
    /// The column, a JSON array of texts, has one of the texts that the cell lists in another one.
    HasItem(Column, Cell),
    /// The columns, of numbers and texts, have together one of the keys that the cell lists as JSON arrays in an array.
    OneOf(Vec<Column>, Cell),
    /// The row comes after these values of the columns in [`Query::order`](super::Query::order), which is ascending.
    After(Vec<Cell>),
    /// One of the columns contains the first of these strings, whose ASCII letters are in lower case. The case of ASCII letters in the column is ignored. The other
    /// strings come in pairs: a letter beyond ASCII in upper and in lower case, whose case is ignored too.
    HasPart(Vec<Column>, Vec<Cell>),
}

impl Condition {
    /// Whether the condition selects the rows of one user, or the rows without a user.
    pub(super) fn names_user(&self) -> bool {
        matches!(self, Self::Equal(column, _) | Self::Null(column, true) if column.name == "user_id")
    }
}
