//! From a stored row to values that cannot be wrong. What does not fit is reported with its table,
//! key and column.

use std::fmt::Display;

use pointbook_domain::{Day, Timestamp};
use rusqlite::Row;
use rusqlite::types::{FromSql, ValueRef};
use serde::de::DeserializeOwned;

use crate::error::{Outcome, StoreFailure};

/// A row of a table; its first columns are a key that finds it.
pub(crate) struct Record<'r> {
    table: &'static str,
    key_columns: usize,
    row: &'r Row<'r>,
}

impl<'r> Record<'r> {
    pub(crate) fn new(table: &'static str, key_columns: usize, row: &'r Row<'r>) -> Self {
        Self { table, key_columns, row }
    }

    /// A column as it is.
    pub(crate) fn get<T: FromSql>(&self, column: usize) -> Outcome<T> {
        self.row.get(column).map_err(|error| self.corrupt(column, error))
    }

    /// A column, taken into its domain type.
    pub(crate) fn read<V: FromSql, T, E: Display>(
        &self,
        column: usize,
        read: impl FnOnce(V) -> Result<T, E>,
    ) -> Outcome<T> {
        read(self.get(column)?).map_err(|error| self.corrupt(column, error))
    }

    /// A column that may be NULL, taken into its domain type.
    pub(crate) fn read_optional<V: FromSql, T, E: Display>(
        &self,
        column: usize,
        read: impl FnOnce(V) -> Result<T, E>,
    ) -> Outcome<Option<T>> {
        let value = self.get::<Option<V>>(column)?;
        value.map(read).transpose().map_err(|error| self.corrupt(column, error))
    }

    /// A column of text, where it lies.
    pub(crate) fn text(&self, column: usize) -> Outcome<&str> {
        self.row.get_ref(column)?.as_str().map_err(|error| self.corrupt(column, error))
    }

    /// A column of text as it lies in the file: nobody has looked whether it is UTF-8. For what is read often.
    #[inline]
    pub(crate) fn bytes(&self, column: usize) -> Outcome<&[u8]> {
        match self.row.get_ref(column) {
            Ok(ValueRef::Text(bytes)) => Ok(bytes),
            // Not text, which is said there.
            _ => self.text(column).map(str::as_bytes),
        }
    }

    /// A column of a number, taken into its domain type. For what is read often.
    #[inline]
    pub(crate) fn number<T, E: Display>(
        &self,
        column: usize,
        read: impl FnOnce(i64) -> Result<T, E>,
    ) -> Outcome<T> {
        match self.row.get_ref(column) {
            Ok(ValueRef::Integer(number)) => read(number).map_err(|error| self.corrupt(column, error)),
            // Not a number, which is said there.
            _ => self.read(column, read),
        }
    }

    /// A column of text, taken into its domain type without a copy in between.
    pub(crate) fn parse<T, E: Display>(
        &self,
        column: usize,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Outcome<T> {
        parse(self.text(column)?).map_err(|error| self.corrupt(column, error))
    }

    /// A column of JSON.
    pub(crate) fn json<T: DeserializeOwned>(&self, column: usize) -> Outcome<T> {
        self.parse(column, |text| serde_json::from_str(text))
    }

    /// What is wrong with a column.
    pub(crate) fn corrupt(&self, column: usize, error: impl Display) -> StoreFailure {
        let key: Vec<String> = (0..self.key_columns).map(|part| self.describe(part)).collect();
        let (table, key) = (self.table, key.join(", "));
        let column = self.row.as_ref().column_name(column).unwrap_or_default();
        StoreFailure::Corrupt(format!("table {table}, key ({key}), column {column}: {error}"))
    }

    fn describe(&self, column: usize) -> String {
        match self.row.get_ref(column) {
            Ok(ValueRef::Integer(number)) => number.to_string(),
            Ok(ValueRef::Text(text)) => format!("{:?}", String::from_utf8_lossy(text)),
            Ok(ValueRef::Null | ValueRef::Real(_) | ValueRef::Blob(_)) | Err(_) => "?".to_owned(),
        }
    }
}

/// Takes microseconds since the epoch.
pub(crate) fn timestamp(micros: i64) -> Result<Timestamp, &'static str> {
    Timestamp::from_micros(micros).ok_or("a time outside the years 1 to 9999")
}

/// Takes days since the epoch.
pub(crate) fn day(days: i64) -> Result<Day, &'static str> {
    let day = i32::try_from(days).ok().and_then(Day::from_days);
    day.ok_or("a day outside the years 1 to 9999")
}

/// Takes a number that counts something.
pub(crate) fn count(number: i64) -> Result<u64, &'static str> {
    u64::try_from(number).map_err(|_| "a negative count")
}

/// A row that is not what other rows promise.
pub(crate) fn wrong(table: &'static str, key: &str, what: impl Display) -> StoreFailure {
    StoreFailure::Corrupt(format!("table {table}, key ({key:?}): {what}"))
}

/// A row that other rows promise and that is not there.
pub(crate) fn missing(table: &'static str, key: &str) -> StoreFailure {
    wrong(table, key, "no such row")
}

/// Writes JSON. Text, numbers and lists of them always can be written.
pub(crate) fn to_json<T: serde::Serialize + ?Sized>(value: &T) -> Outcome<String> {
    serde_json::to_string(value).map_err(unwritable)
}

/// What there is no JSON of.
pub(crate) fn unwritable(error: serde_json::Error) -> StoreFailure {
    StoreFailure::Sqlite(rusqlite::Error::ToSqlConversionFailure(error.into()))
}
