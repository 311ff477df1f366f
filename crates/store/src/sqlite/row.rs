//! Reads and writes rows as `schema` declares them. Errors name table, key and column.

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, Params, Row, params_from_iter};

use crate::schema::{CellRef, Corrupt, Group, Read, Record, Source, Statement, Write, cells, packed_id};
use crate::sqlite::error::{Outcome, StoreFailure};

/// A row of rusqlite as a [`Source`].
pub(crate) struct Stored<'r>(pub(crate) &'r Row<'r>);

impl Source for Stored<'_> {
    #[inline]
    fn integer(&self, column: usize) -> Result<Option<i64>, String> {
        match self.0.get_ref(column) {
            Ok(ValueRef::Integer(number)) => Ok(Some(number)),
            other => null_or(other, "not a whole number"),
        }
    }

    fn truth(&self, column: usize) -> Result<Option<bool>, String> {
        Ok(self.integer(column)?.map(|number| number != 0))
    }

    fn text(&self, column: usize) -> Result<Option<&str>, String> {
        let text = self.raw_text(column)?.map(str::from_utf8).transpose();
        text.map_err(|error| error.to_string())
    }

    #[inline]
    fn raw_text(&self, column: usize) -> Result<Option<&[u8]>, String> {
        match self.0.get_ref(column) {
            Ok(ValueRef::Text(bytes)) => Ok(Some(bytes)),
            other => null_or(other, "not a string"),
        }
    }

    fn bytes(&self, column: usize) -> Result<Option<&[u8]>, String> {
        match self.0.get_ref(column) {
            Ok(ValueRef::Blob(bytes)) => Ok(Some(bytes)),
            other => null_or(other, "not bytes"),
        }
    }

    fn is_null(&self, column: usize) -> bool {
        matches!(self.0.get_ref(column), Ok(ValueRef::Null))
    }

    fn column_name(&self, column: usize) -> &str {
        self.0.as_ref().column_name(column).unwrap_or_default()
    }

    fn describe(&self, column: usize) -> String {
        match self.0.get_ref(column) {
            Ok(ValueRef::Integer(number)) => number.to_string(),
            Ok(ValueRef::Text(text)) => format!("{:?}", String::from_utf8_lossy(text)),
            Ok(ValueRef::Blob(bytes)) => packed_id::describe(bytes),
            Ok(ValueRef::Null | ValueRef::Real(_)) | Err(_) => "?".to_owned(),
        }
    }
}

fn null_or<T>(value: rusqlite::Result<ValueRef<'_>>, problem: &str) -> Result<Option<T>, String> {
    match value {
        Ok(ValueRef::Null) => Ok(None),
        Ok(_) => Err(problem.to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// All rows of a statement. Errors name this table and this many key columns.
pub(crate) fn all_of<T: for<'r> Read<'r>>(
    (table, key): (&'static str, usize),
    database: &Connection,
    sql: &str,
    params: impl Params,
) -> Outcome<Vec<T>> {
    let mut select = database.prepare_cached(sql)?;
    let mut rows = select.query(params)?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(Record::new(table, key, &Stored(row)).read()?);
    }
    Ok(all)
}

/// The first row of a statement that selects a group.
pub(crate) fn one<T: Group + for<'r> Read<'r>>(
    database: &Connection,
    sql: &str,
    params: impl Params,
) -> Outcome<Option<T>> {
    one_of((T::TABLE.name, T::KEY), database, sql, params)
}

/// The first row of a statement. Errors are like those of [`all_of`].
pub(crate) fn one_of<T: for<'r> Read<'r>>(
    (table, key): (&'static str, usize),
    database: &Connection,
    sql: &str,
    params: impl Params,
) -> Outcome<Option<T>> {
    let mut select = database.prepare_cached(sql)?;
    let mut rows = select.query(params)?;
    let Some(row) = rows.next()? else { return Ok(None) };
    Ok(Some(Record::new(table, key, &Stored(row)).read()?))
}

pub(crate) fn count(
    table: &'static str,
    database: &Connection,
    sql: &str,
    params: impl Params,
) -> Outcome<u64> {
    let (count,) = one_of((table, 0), database, sql, params)?.ok_or_else(|| missing(table, "count"))?;
    Ok(count)
}

/// Executes a statement with the values of one row. Returns the number of changed rows.
pub(crate) fn write(
    database: &Connection,
    statement: &Statement,
    tenant: &str,
    row: &(impl Write + ?Sized),
) -> Outcome<usize> {
    let (tenant, values) = (CellRef::Text(tenant.into()), cells(row));
    let values = std::iter::once(&tenant).chain(&values).map(value);
    Ok(database.prepare_cached(&statement.sql)?.execute(params_from_iter(values))?)
}

/// Converts a cell to a parameter of rusqlite.
pub(crate) fn value<'v>(cell: &'v CellRef<'_>) -> ToSqlOutput<'v> {
    ToSqlOutput::Borrowed(match cell {
        CellRef::Null => ValueRef::Null,
        CellRef::Integer(number) => ValueRef::Integer(*number),
        CellRef::Text(text) => ValueRef::Text(text.as_bytes()),
        CellRef::Bytes(bytes) => ValueRef::Blob(bytes),
    })
}

/// A missing row that other rows refer to.
pub(crate) fn missing(table: &'static str, key: &str) -> StoreFailure {
    Corrupt::missing(table, key).into()
}
