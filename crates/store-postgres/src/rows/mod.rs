//! Rows as they stand, of any table.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::ports::{Cell, Row, RowReader, RowStore};
use pointbook_schema::{CellRef, ColumnAt, Corrupt, Dialect, Kind, Record, Statement, Table, page};

use crate::connection::Transaction;
use crate::error::{Outcome, StoreFailure};
use crate::row::{Stored, value};
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
        let insert = Statement::insert_rows(Dialect::Postgres, table);
        self.access
            .write("write_rows", |database| {
                // A unique key that is taken is another row's, and stays so: no transaction was faster.
                let written = database.write(&insert, &self.id, rows);
                async move { written.await.map_err(|failure| failure.of_taken_key(table.name)) }.scoped()
            })
            .await
    }

    async fn remove_rows(&self, table: &'static Table, rows: &[Row]) -> StoreResult<()> {
        table.check_removable()?;
        let delete = Statement::delete_rows(Dialect::Postgres, table);
        self.access
            .write("remove_rows", |database| database.write(&delete, &self.id, rows).scoped())
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
    let after: Vec<_> = after.iter().map(CellRef::from).collect();
    let values: Vec<_> =
        table.key().iter().zip(&after).map(|(column, cell)| value(column.kind, cell)).collect();
    params.extend(values.iter().map(|value| &**value as &(dyn Value + Sync)));
    database.batch(ALONG_THE_KEY).await?;
    let rows = database.rows(&page(Dialect::Postgres, table, !after.is_empty()), &params).await?;
    rows.iter().map(|stored| row(table, &Stored(stored))).collect()
}

fn row(table: &'static Table, stored: &Stored<'_>) -> Outcome<Row> {
    let record = Record::new(table.name, table.key_columns, stored);
    let kinds = table.columns.iter().enumerate();
    kinds
        .map(|(place, column)| Ok(cell(&record, column.kind, ColumnAt(place))?.unwrap_or(Cell::Null)))
        .collect()
}

/// `None` for `NULL`.
fn cell<'r>(record: &Record<'r, Stored<'r>>, kind: Kind, place: ColumnAt) -> Result<Option<Cell>, Corrupt> {
    Ok(match kind {
        Kind::Text => record.at::<Option<Box<str>>>(place)?.map(Cell::Text),
        Kind::Bytes => record.at::<Option<&[u8]>>(place)?.map(|bytes| Cell::Bytes(bytes.into())),
        Kind::Truth => record.at::<Option<bool>>(place)?.map(|is_true| Cell::Integer(is_true.into())),
        Kind::Integer => record.at::<Option<i64>>(place)?.map(Cell::Integer),
    })
}
