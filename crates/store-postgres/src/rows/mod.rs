//! Reads and writes raw rows of any table.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::ports::{Cell, PageOf, Query, Row, RowReader, RowStore};
use pointbook_domain::PageRequest;
use pointbook_schema::{ColumnAt, Corrupt, Dialect, Kind, Record, Statement, Table};

use crate::connection::{Connection, Transaction};
use crate::error::{Outcome, StoreFailure};
use crate::pipeline::both;
use crate::row::{AnyValue, Stored, value};
use crate::scoped::IntoScoped;
use crate::store::PostgresTenant;
use crate::value::Value;

#[async_trait]
impl RowReader for PostgresTenant {
    async fn rows(&self, query: &Query) -> StoreResult<Vec<Row>> {
        self.access.read_snapshot(query.name, |database| read_all(database, &self.id, query).scoped()).await
    }
}

#[async_trait]
impl RowStore for PostgresTenant {
    async fn few_rows(&self, query: &Query) -> StoreResult<Vec<Row>> {
        self.access.read_short(query.name, |database| read(database, &self.id, query).scoped()).await
    }

    async fn row_page(&self, query: &Query, page: PageRequest) -> StoreResult<PageOf<Row>> {
        let query = &Query { limit: page.size.get(), offset: page.offset(), ..query.clone() };
        self.access.read_snapshot(query.name, |database| read_page(database, &self.id, query).scoped()).await
    }

    async fn row_snapshot(&self) -> StoreResult<Box<dyn RowReader>> {
        let database = self.access.open_snapshot("row_snapshot").await?;
        database.batch(NO_IDLE_TIMEOUT).await?;
        Ok(Box::new(TenantSnapshot { database, tenant: self.id.clone() }))
    }

    async fn write_rows(&self, table: &'static Table, rows: &[Row]) -> StoreResult<u64> {
        check_texts(table, rows)?;
        let insert = Statement::insert_rows(Dialect::Postgres, table);
        self.access
            .write("write_rows", |database| {
                // A copy writes whole rows, so a unique violation is no race: another row has the key for good.
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

/// A snapshot of the rows of one tenant.
struct TenantSnapshot {
    database: Transaction,
    tenant: Arc<str>,
}

#[async_trait]
impl RowReader for TenantSnapshot {
    async fn rows(&self, query: &Query) -> StoreResult<Vec<Row>> {
        Ok(read_all(&self.database, &self.tenant, query).await?)
    }
}

/// Turns off the idle timeout, because the reader of a snapshot may write to another database for a while.
const NO_IDLE_TIMEOUT: &str = "SET LOCAL idle_in_transaction_session_timeout = 0";

/// Refuses U+0000 and names its row and column. PostgreSQL refuses it too, but does not name them.
fn check_texts(table: &Table, rows: &[Row]) -> Outcome<()> {
    for row in rows {
        for (column, cell) in table.columns.iter().zip(row) {
            if matches!(cell, Cell::Text(text) if text.contains('\0')) {
                let row = table.describe(row);
                let problem = format!("{row}, column {}: PostgreSQL cannot store U+0000", column.name);
                return Err(StoreFailure::Corrupt(problem));
            }
        }
    }
    Ok(())
}

/// Makes PostgreSQL read pages along the index. Without statistics it takes a newly filled table for short, and sorts all
/// remaining rows for each page.
const READ_ALONG_INDEX: &str = "SET LOCAL enable_sort = off; SET LOCAL enable_bitmapscan = off";

async fn read_all(database: &Transaction, tenant: &str, query: &Query) -> Outcome<Vec<Row>> {
    if !query.follows_order() {
        return read(database, tenant, query).await;
    }
    Ok(both(database.batch(READ_ALONG_INDEX), read(database, tenant, query)).await?.1)
}

/// Reads a page and the total. The transaction has one snapshot, so both are consistent.
async fn read_page(database: &Transaction, tenant: &str, query: &Query) -> Outcome<PageOf<Row>> {
    let total = async {
        if matches_no_row(query) {
            return Ok(0);
        }
        let cells = values(query);
        let (total,) = database
            .only(query.table.name, &query.count(Dialect::Postgres), &params(&tenant, &cells))
            .await?;
        Ok(total)
    };
    let (total, items) = both(total, read(database, tenant, query)).await?;
    Ok(PageOf { items, total })
}

async fn read(database: &Connection, tenant: &str, query: &Query) -> Outcome<Vec<Row>> {
    if matches_no_row(query) {
        return Ok(Vec::new());
    }
    let cells = values(query);
    // The offset is at most the largest page number (31 bits) times the largest size (32 bits), so it fits an `i64`.
    let (limit, offset) = (i64::from(query.limit), query.offset.cast_signed());
    let bounds: [&(dyn Value + Sync); 2] = [&limit, &offset];
    let params = [params(&tenant, &cells), bounds.to_vec()].concat();
    let rows = database.rows(&query.select(Dialect::Postgres), &params).await?;
    rows.iter().map(|stored| row(query, &Stored(stored))).collect()
}

/// Whether a value has U+0000. PostgreSQL cannot store it, so no row matches, and it refuses it as a parameter.
fn matches_no_row(query: &Query) -> bool {
    query.values().any(|(_, cell)| matches!(cell, Cell::Text(text) if text.contains('\0')))
}

fn values(query: &Query) -> Vec<AnyValue<'_>> {
    query.values().map(|(column, cell)| value(column.kind, cell)).collect()
}

/// The parameters of the query: the tenant, then the values of the conditions.
fn params<'v>(tenant: &'v &str, values: &'v [AnyValue<'_>]) -> Vec<&'v (dyn Value + Sync)> {
    let values = values.iter().map(|value| &**value as &(dyn Value + Sync));
    std::iter::once(tenant as &(dyn Value + Sync)).chain(values).collect()
}

fn row(query: &Query, stored: &Stored<'_>) -> Outcome<Row> {
    let record = Record::new(query.table.name, query.key_columns, stored);
    let columns = query.columns.iter().enumerate();
    columns
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
