//! Rows, from whichever format.

use std::io;

use super::fields::Fields;
use super::limits::MAX_ROW_BYTES;
use super::problems::Problems;

/// A row as it stands in the input.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct RawRow {
    /// The line it begins on, from 1, in the decompressed text.
    pub(super) line: u64,
    /// Its text without the line end, at most [`MAX_ROW_BYTES`].
    pub(super) text: Vec<u8>,
    /// Whether the text is one CSV record, which splits into its cells.
    pub(super) is_whole: bool,
}

/// A column of CSV rows by its name; none for one that the import ignores.
pub(super) type Column = Option<&'static str>;

/// A stream of rows. Empty lines are no rows.
pub(super) trait RowSource {
    /// Goes to the next row; none at the end.
    fn next_row(&mut self) -> io::Result<Option<RawRow>>;

    /// The columns of the rows; none where each row names its fields.
    fn columns(&self) -> Option<Vec<Column>> {
        None
    }

    /// The fields of the row that [`Self::next_row`] gave last.
    fn fields(&mut self) -> Result<Fields<'_>, Problems>;
}

/// What is said of a row in another character set.
pub(super) fn not_utf8() -> Problems {
    let rule =
        "the row is not UTF-8; perhaps it is Windows-1252: save the file as UTF-8 (in Excel: CSV UTF-8)";
    Problems::one("", rule)
}

/// What is said of a row that is too long to be kept.
pub(super) fn overlong() -> Problems {
    let rule = format!("the row is longer than {MAX_ROW_BYTES} bytes, only its beginning is kept here");
    Problems::one("", rule)
}
