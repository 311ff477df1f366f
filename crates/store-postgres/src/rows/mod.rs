//! Rows as they stand, of any table.

mod statements;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::ports::{Cell, Row, RowReader, RowStore};
use pointbook_app::tables::{Column, Kind, Table};
use tokio_postgres::Row as Stored;
use tokio_postgres::types::Type;

pub(crate) use self::statements::of_table;
use self::statements::{delete, insert, page};
use crate::connection::Transaction;
use crate::error::{Outcome, StoreFailure};
use crate::row::Record;
use crate::scoped::IntoScoped;
use crate::store::PostgresTenant;
use crate::value::Value;

#[async_trait]
impl RowReader for PostgresTenant {
    async fn rows_after(
        &self,
        table: &'static Table,
        after: Option<&Row>,
        limit: u32,
    ) -> StoreResult<Vec<Row>> {
        self.access
            .read_snapshot("rows_after", |database| read(database, &self.id, table, after, limit).scoped())
            .await
    }
}

#[async_trait]
impl RowStore for PostgresTenant {
    async fn row_snapshot(&self) -> StoreResult<Box<dyn RowReader>> {
        let database = self.access.open_snapshot("row_snapshot").await?;
        database.batch(HELD_AS_LONG_AS_IT_TAKES).await?;
        Ok(Box::new(TenantSnapshot { database, tenant: self.id.clone() }))
    }

    async fn write_rows(&self, table: &'static Table, rows: &[Row]) -> StoreResult<u64> {
        check_texts(table, rows)?;
        let sql = insert(table);
        self.access
            .write("write_rows", |database| insert_all(database, &sql, &self.id, table, rows).scoped())
            .await
    }

    async fn remove_rows(&self, table: &'static Table, rows: &[Row]) -> StoreResult<()> {
        table.check_removable()?;
        let sql = delete(table);
        self.access
            .write("remove_rows", |database| for_all(database, &sql, &self.id, table.key(), rows).scoped())
            .await
            .map(drop)
    }
}

/// The rows of one tenant at one moment.
struct TenantSnapshot {
    database: Transaction,
    tenant: Arc<str>,
}

#[async_trait]
impl RowReader for TenantSnapshot {
    async fn rows_after(
        &self,
        table: &'static Table,
        after: Option<&Row>,
        limit: u32,
    ) -> StoreResult<Vec<Row>> {
        Ok(read(&self.database, &self.tenant, table, after, limit).await?)
    }
}

/// Whoever reads may write elsewhere for a while.
const HELD_AS_LONG_AS_IT_TAKES: &str = "SET LOCAL idle_in_transaction_session_timeout = 0";

/// The first text with the one character that a text may not have here. It would be refused without being
/// named.
fn check_texts(table: &Table, rows: &[Row]) -> Outcome<()> {
    for row in rows {
        for (column, cell) in table.columns.iter().zip(row) {
            if matches!(cell, Cell::Text(text) if text.contains('\0')) {
                let row = table.describe(row);
                let what = format!("{row}, column {}: PostgreSQL holds no text with U+0000", column.name);
                return Err(StoreFailure::Corrupt(what));
            }
        }
    }
    Ok(())
}

/// What makes a page a place in the key, as on a table that is known to be long: one that was filled just
/// now is taken for short, and every page would sort all that follows.
const ALONG_THE_KEY: &str = "SET LOCAL enable_sort = off; SET LOCAL enable_bitmapscan = off";

/// At most so many rows above this key.
async fn read(
    database: &Transaction,
    tenant: &str,
    table: &'static Table,
    after: Option<&Row>,
    limit: u32,
) -> Outcome<Vec<Row>> {
    let after = after.map(|row| table.key_of(row));
    if after.is_some_and(<[Cell]>::is_empty) {
        return Ok(Vec::new());
    }
    let (limit, after) = (i64::from(limit), after.unwrap_or_default());
    let mut params: Vec<&(dyn Value + Sync)> = vec![&tenant, &limit];
    let values: Vec<_> = table.key().iter().zip(after).map(|(column, cell)| value(column, cell)).collect();
    params.extend(values.iter().map(|value| &**value as &(dyn Value + Sync)));
    database.batch(ALONG_THE_KEY).await?;
    let rows = database.rows(&page(table, !after.is_empty()), &params).await?;
    rows.iter().map(|stored| row(table, stored)).collect()
}

fn row(table: &'static Table, stored: &Stored) -> Outcome<Row> {
    let record = Record::new(table.name, table.key_columns, stored);
    let cells = stored.columns().iter().enumerate();
    cells.map(|(place, column)| Ok(cell(&record, place, column.type_())?.unwrap_or(Cell::Null))).collect()
}

/// None for NULL.
fn cell(record: &Record<'_>, place: usize, kind: &Type) -> Outcome<Option<Cell>> {
    Ok(match *kind {
        Type::TEXT => record.get::<Option<&str>>(place)?.map(|text| Cell::Text(text.into())),
        Type::BYTEA => record.get::<Option<&[u8]>>(place)?.map(|bytes| Cell::Bytes(bytes.into())),
        Type::BOOL => record.get::<Option<bool>>(place)?.map(|is_true| Cell::Integer(is_true.into())),
        Type::INT4 => record.get::<Option<i32>>(place)?.map(|number| Cell::Integer(number.into())),
        _ => record.get::<Option<i64>>(place)?.map(Cell::Integer),
    })
}

/// Inserts rows. A unique key that is taken is another row's, and stays so: nobody was faster.
async fn insert_all(
    database: &Transaction,
    sql: &str,
    tenant: &str,
    table: &'static Table,
    rows: &[Row],
) -> Outcome<u64> {
    let inserted = for_all(database, sql, tenant, table.columns, rows).await;
    inserted.map_err(|failure| failure.of_taken_key(table.name))
}

/// Runs a statement with these columns of the rows; gives how many rows it changed.
async fn for_all(
    database: &Transaction,
    sql: &str,
    tenant: &str,
    columns: &[Column],
    rows: &[Row],
) -> Outcome<u64> {
    let arrays: Vec<_> =
        columns.iter().enumerate().map(|(place, column)| array(column, place, rows)).collect();
    let mut params: Vec<&(dyn Value + Sync)> = vec![&tenant];
    params.extend(arrays.iter().map(|array| &**array as &(dyn Value + Sync)));
    database.execute(sql, &params).await
}

/// A value that a statement takes.
type AnyValue<'v> = Box<dyn Value + Send + Sync + 'v>;

fn value<'r>(column: &Column, cell: &'r Cell) -> AnyValue<'r> {
    match column.kind {
        Kind::Integer | Kind::Truth => Box::new(integer(cell)),
        Kind::Text => Box::new(text(cell)),
        Kind::Bytes => Box::new(bytes(cell)),
    }
}

/// The values of one column.
fn array<'r>(column: &Column, place: usize, rows: &'r [Row]) -> AnyValue<'r> {
    let cells = rows.iter().map(|row| row.get(place).unwrap_or(&Cell::Null));
    match column.kind {
        Kind::Integer | Kind::Truth => Box::new(cells.map(integer).collect::<Vec<_>>()),
        Kind::Text => Box::new(cells.map(text).collect::<Vec<_>>()),
        Kind::Bytes => Box::new(cells.map(bytes).collect::<Vec<_>>()),
    }
}

fn integer(cell: &Cell) -> Option<i64> {
    if let Cell::Integer(number) = cell { Some(*number) } else { None }
}

fn text(cell: &Cell) -> Option<&str> {
    if let Cell::Text(text) = cell { Some(text) } else { None }
}

fn bytes(cell: &Cell) -> Option<&[u8]> {
    if let Cell::Bytes(bytes) = cell { Some(bytes) } else { None }
}
