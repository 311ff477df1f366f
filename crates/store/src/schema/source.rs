use std::fmt;
use std::fmt::Display;

use crate::schema::{ColumnAt, Read};

/// A row of a database driver. Each getter returns `None` for `NULL`, and a message when the column has another kind.
pub trait Source {
    /// A whole number of any width.
    fn integer(&self, column: usize) -> Result<Option<i64>, String>;
    /// 0 or 1.
    fn truth(&self, column: usize) -> Result<Option<bool>, String>;
    fn text(&self, column: usize) -> Result<Option<&str>, String>;
    /// The bytes of a string, which may be invalid UTF-8. A page of a history checks all its strings at once.
    fn raw_text(&self, column: usize) -> Result<Option<&[u8]>, String>;
    fn bytes(&self, column: usize) -> Result<Option<&[u8]>, String>;
    fn is_null(&self, column: usize) -> bool;
    /// The name of the column in the statement; empty beyond the last column.
    fn column_name(&self, column: usize) -> &str;
    /// The value for an error message: a quoted string, a number, or `?`. It never shows a token hash or a secret.
    fn describe(&self, column: usize) -> String;
}

/// A row that cannot be read or that contradicts other rows. The message names table, key, column and reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corrupt(pub String);

impl Display for Corrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Corrupt {}

/// A row of a statement. Its first columns are the key, which every error names.
pub struct Record<'r, S: ?Sized> {
    table: &'static str,
    key_columns: usize,
    source: &'r S,
}

impl<'r, S: Source + ?Sized> Record<'r, S> {
    /// Wraps a row of `source`. It reads no column yet.
    pub fn new(table: &'static str, key_columns: usize, source: &'r S) -> Self {
        Self { table, key_columns, source }
    }

    /// Reads all columns.
    ///
    /// # Errors
    /// Names the first column with an invalid value.
    #[inline]
    pub fn read<T: Read<'r>>(&self) -> Result<T, Corrupt> {
        T::read(self, 0)
    }

    /// Reads a column that [`Self::read`] skipped.
    ///
    /// # Errors
    /// When the value of the column is invalid.
    pub fn at<T: Read<'r>>(&self, ColumnAt(column): ColumnAt) -> Result<T, Corrupt> {
        T::read(self, column)
    }

    /// Whether a column is `NULL`.
    #[inline]
    pub fn is_null(&self, column: usize) -> bool {
        self.source.is_null(column)
    }

    /// Reads one column that must not be `NULL`.
    ///
    /// # Errors
    /// When the value is `NULL` or invalid.
    #[inline]
    pub fn parse<V, T, E: Display>(
        &self,
        column: usize,
        get: impl FnOnce(&'r S, usize) -> Result<Option<V>, String>,
        parse: impl FnOnce(V) -> Result<T, E>,
    ) -> Result<T, Corrupt> {
        match get(self.source, column) {
            Ok(Some(value)) => parse(value).map_err(|error| self.corrupt(column, error)),
            Ok(None) => Err(self.corrupt(column, "must not be NULL")),
            Err(error) => Err(self.corrupt(column, error)),
        }
    }

    /// The error for a column by its index.
    #[cold]
    pub fn corrupt(&self, column: usize, error: impl Display) -> Corrupt {
        self.corrupt_in(self.source.column_name(column), error)
    }

    /// The error for a column by its name.
    #[cold]
    pub fn corrupt_in(&self, column: &str, error: impl Display) -> Corrupt {
        let key: Vec<String> = (0..self.key_columns).map(|part| self.source.describe(part)).collect();
        let (table, key) = (self.table, key.join(", "));
        Corrupt(format!("table {table}, key ({key}), column {column}: {error}"))
    }
}

impl Corrupt {
    /// A row that contradicts other rows.
    pub fn wrong(table: &str, key: &str, reason: impl Display) -> Self {
        Self(format!("table {table}, key ({key:?}): {reason}"))
    }

    /// A missing row that other rows refer to.
    pub fn missing(table: &str, key: &str) -> Self {
        Self::wrong(table, key, "no such row")
    }
}
