use std::fmt::{self, Display};

use crate::{ColumnAt, Read};

/// A row of a driver. Each getter gives `None` for `NULL`, and says in words why a column is not of its kind.
pub trait Source {
    /// A whole number of any width.
    fn integer(&self, column: usize) -> Result<Option<i64>, String>;
    /// 0 or 1.
    fn truth(&self, column: usize) -> Result<Option<bool>, String>;
    fn text(&self, column: usize) -> Result<Option<&str>, String>;
    /// The bytes of a text, which may be unchecked: a page of a history has its texts checked all at once.
    fn raw_text(&self, column: usize) -> Result<Option<&[u8]>, String>;
    fn bytes(&self, column: usize) -> Result<Option<&[u8]>, String>;
    /// Whether it is `NULL`.
    fn is_null(&self, column: usize) -> bool;
    /// The name in the statement; empty beyond the last column.
    fn column_name(&self, column: usize) -> &str;
    /// A text in quotes, a number, or `?`: no hash of a token or a secret is shown.
    fn describe(&self, column: usize) -> String;
}

/// A row that cannot be read, or contradicts others: table, key, column and reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corrupt(pub String);

impl Display for Corrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Corrupt {}

/// A row of a statement. Its first columns are a key that finds the row, and stand in every error.
pub struct Record<'r, S> {
    table: &'static str,
    key_columns: usize,
    source: &'r S,
}

impl<'r, S: Source> Record<'r, S> {
    /// Reads nothing yet.
    pub fn new(table: &'static str, key_columns: usize, source: &'r S) -> Self {
        Self { table, key_columns, source }
    }

    /// Reads all of it.
    ///
    /// # Errors
    /// The first column that does not hold what it should.
    #[inline]
    pub fn read<T: Read<'r>>(&self) -> Result<T, Corrupt> {
        T::read(self, 0)
    }

    /// Reads a column that was passed over.
    ///
    /// # Errors
    /// When it does not hold what it should.
    pub fn at<T: Read<'r>>(&self, ColumnAt(column): ColumnAt) -> Result<T, Corrupt> {
        T::read(self, column)
    }

    /// Whether a column is `NULL`.
    #[inline]
    pub fn is_null(&self, column: usize) -> bool {
        self.source.is_null(column)
    }

    /// Reads one column, which is not `NULL`.
    ///
    /// # Errors
    /// When it does not hold what it should.
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

    /// What is wrong with a column.
    #[cold]
    pub fn corrupt(&self, column: usize, error: impl Display) -> Corrupt {
        self.corrupt_in(self.source.column_name(column), error)
    }

    /// What is wrong with the column of this name.
    #[cold]
    pub fn corrupt_in(&self, column: &str, error: impl Display) -> Corrupt {
        let key: Vec<String> = (0..self.key_columns).map(|part| self.source.describe(part)).collect();
        let (table, key) = (self.table, key.join(", "));
        Corrupt(format!("table {table}, key ({key}), column {column}: {error}"))
    }
}

impl Corrupt {
    /// A row that is not what other rows promise.
    pub fn wrong(table: &str, key: &str, what: impl Display) -> Self {
        Self(format!("table {table}, key ({key:?}): {what}"))
    }

    /// A row that other rows promise and that is missing.
    pub fn missing(table: &str, key: &str) -> Self {
        Self::wrong(table, key, "no such row")
    }
}
