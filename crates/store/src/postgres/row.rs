//! Reads and writes rows as `schema` declares them. Errors name table, key and column.

use std::error::Error;

use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, Type};

use crate::postgres::connection::{Connection, Params};
use crate::postgres::error::{Outcome, StoreFailure};
use crate::postgres::value::Value;
use crate::schema::{Cell, CellRef, Corrupt, Kind, Read, Record, Source, Statement, Write, cells, packed_id};

/// A row of the driver as a [`Source`].
pub(crate) struct Stored<'r>(pub(crate) &'r Row);

impl<'r> Stored<'r> {
    fn get<T: FromSql<'r>>(&self, column: usize) -> Result<Option<T>, String> {
        self.0.try_get(column).map_err(|error| error.to_string())
    }
}

impl Source for Stored<'_> {
    fn integer(&self, column: usize) -> Result<Option<i64>, String> {
        let is_short = self.0.columns().get(column).is_some_and(|column| *column.type_() == Type::INT4);
        if is_short { Ok(self.get::<i32>(column)?.map(i64::from)) } else { self.get(column) }
    }

    fn truth(&self, column: usize) -> Result<Option<bool>, String> {
        self.get(column)
    }

    fn text(&self, column: usize) -> Result<Option<&str>, String> {
        self.get(column)
    }

    fn raw_text(&self, column: usize) -> Result<Option<&[u8]>, String> {
        Ok(self.get(column)?.map(str::as_bytes))
    }

    fn bytes(&self, column: usize) -> Result<Option<&[u8]>, String> {
        self.get(column)
    }

    fn is_null(&self, column: usize) -> bool {
        matches!(self.get::<Present>(column), Ok(None))
    }

    fn column_name(&self, column: usize) -> &str {
        self.0.columns().get(column).map_or("", |column| column.name())
    }

    fn describe(&self, column: usize) -> String {
        if let Ok(Some(text)) = self.text(column) {
            return format!("{text:?}");
        }
        if let Ok(Some(bytes)) = self.bytes(column) {
            return packed_id::describe(bytes);
        }
        let number = self.integer(column).ok().flatten();
        number.map_or_else(|| "?".to_owned(), |number| number.to_string())
    }
}

/// Any value that is not `NULL`.
struct Present;

impl FromSql<'_> for Present {
    fn from_sql(_: &Type, _: &[u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self)
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

/// Reads a row. Errors name this table and this many key columns.
pub(crate) fn read_as<T: for<'r> Read<'r>>((table, key): (&'static str, usize), row: &Row) -> Outcome<T> {
    Ok(Record::new(table, key, &Stored(row)).read()?)
}

impl Connection {
    /// All rows of a statement. Errors are like those of [`read_as`].
    pub(crate) async fn all_of<T: for<'r> Read<'r>>(
        &self,
        table: (&'static str, usize),
        sql: &str,
        params: Params<'_>,
    ) -> Outcome<Vec<T>> {
        self.rows(sql, params).await?.iter().map(|row| read_as(table, row)).collect()
    }

    /// The row of a statement, if any. Errors are like those of [`read_as`].
    pub(crate) async fn one_of<T: for<'r> Read<'r>>(
        &self,
        table: (&'static str, usize),
        sql: &str,
        params: Params<'_>,
    ) -> Outcome<Option<T>> {
        self.row(sql, params).await?.as_ref().map(|row| read_as(table, row)).transpose()
    }

    /// The row of a statement that always returns exactly one row.
    pub(crate) async fn only<T: for<'r> Read<'r>>(
        &self,
        table: &'static str,
        sql: &str,
        params: Params<'_>,
    ) -> Outcome<T> {
        self.one_of((table, 0), sql, params).await?.ok_or_else(|| missing(table, "*"))
    }

    /// Executes a statement with the values of rows, as one array per column. Returns the number of changed rows.
    pub(crate) async fn write(
        &self,
        statement: &Statement,
        tenant: &str,
        rows: &[impl Write],
    ) -> Outcome<u64> {
        if rows.is_empty() {
            return Ok(0);
        }
        let rows: Vec<_> = rows.iter().map(cells).collect();
        let arrays = arrays(statement, &rows);
        self.execute(&statement.sql, &params(&tenant, &arrays)).await
    }

    /// The rows of a statement with the values of `given`, as one array per column.
    pub(crate) async fn rows_of(
        &self,
        statement: &Statement,
        tenant: &str,
        given: &[impl Write],
    ) -> Outcome<Vec<Row>> {
        let given: Vec<_> = given.iter().map(cells).collect();
        let arrays = arrays(statement, &given);
        self.rows(&statement.sql, &params(&tenant, &arrays)).await
    }

    /// Like [`Self::write`], but each row must change one row of the table. Otherwise another writer was faster.
    pub(crate) async fn write_all(
        &self,
        statement: &Statement,
        tenant: &str,
        rows: &[impl Write],
    ) -> Outcome<()> {
        let written = self.write(statement, tenant, rows).await?;
        if written == rows.len() as u64 { Ok(()) } else { Err(StoreFailure::Overtaken) }
    }
}

fn arrays<'v>(statement: &Statement, rows: &'v [Vec<CellRef<'v>>]) -> Vec<AnyValue<'v>> {
    let columns = statement.columns.iter().enumerate();
    columns.map(|(index, column)| array(column.kind, index, rows)).collect()
}

fn params<'v>(tenant: &'v &str, arrays: &'v [AnyValue<'_>]) -> Vec<&'v (dyn Value + Sync)> {
    let arrays = arrays.iter().map(|array| &**array as &(dyn Value + Sync));
    std::iter::once(tenant as &(dyn Value + Sync)).chain(arrays).collect()
}

/// A parameter of a statement.
pub(crate) type AnyValue<'v> = Box<dyn Value + Send + Sync + 'v>;

/// The values of one column.
fn array<'v>(kind: Kind, index: usize, rows: &'v [Vec<CellRef<'v>>]) -> AnyValue<'v> {
    let cells = rows.iter().map(|row| row.get(index).unwrap_or(&CellRef::Null));
    match kind {
        Kind::Integer => Box::new(cells.map(integer).collect::<Vec<_>>()),
        Kind::Truth => Box::new(cells.map(|cell| Some(integer(cell)? != 0)).collect::<Vec<_>>()),
        Kind::Text => Box::new(cells.map(text).collect::<Vec<_>>()),
        Kind::Bytes => Box::new(cells.map(bytes).collect::<Vec<_>>()),
    }
}

/// One value of a column.
pub(crate) fn value(kind: Kind, cell: &Cell) -> AnyValue<'_> {
    match (kind, cell) {
        (Kind::Integer, Cell::Integer(number)) => Box::new(*number),
        (Kind::Truth, Cell::Integer(number)) => Box::new(*number != 0),
        (_, Cell::Text(text)) => Box::new(&**text),
        (_, Cell::Bytes(bytes)) => Box::new(&**bytes),
        (_, Cell::Integer(_) | Cell::Null) => Box::new(None::<&str>),
    }
}

fn integer(cell: &CellRef<'_>) -> Option<i64> {
    if let CellRef::Integer(number) = cell { Some(*number) } else { None }
}

fn text<'v>(cell: &'v CellRef<'_>) -> Option<&'v str> {
    if let CellRef::Text(text) = cell { Some(text) } else { None }
}

fn bytes<'v>(cell: &'v CellRef<'_>) -> Option<&'v [u8]> {
    if let CellRef::Bytes(bytes) = cell { Some(bytes) } else { None }
}

/// A missing row that other rows refer to.
pub(crate) fn missing(table: &'static str, key: &str) -> StoreFailure {
    Corrupt::missing(table, key).into()
}
