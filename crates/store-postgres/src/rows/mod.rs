//! Rows as they stand, of any table.

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
    async fn rows(&self, query: &Query) -> StoreResult<Vec<Row>> {
        Ok(read_all(&self.database, &self.tenant, query).await?)
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

/// What makes a part of a table a place in its order, as on a table that is known to be long: one that was filled just
/// now is taken for short, and every part would sort all that follows.
const ALONG_THE_ORDER: &str = "SET LOCAL enable_sort = off; SET LOCAL enable_bitmapscan = off";

async fn read_all(database: &Transaction, tenant: &str, query: &Query) -> Outcome<Vec<Row>> {
    if !query.follows_order() {
        return read(database, tenant, query).await;
    }
    // Sent one right after the other.
    Ok(both(database.batch(ALONG_THE_ORDER), read(database, tenant, query)).await?.1)
}

/// Both statements see one moment in a transaction of one snapshot.
async fn read_page(database: &Transaction, tenant: &str, query: &Query) -> Outcome<PageOf<Row>> {
    let total = async {
        if asks_for_nothing(query) {
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
    if asks_for_nothing(query) {
        return Ok(Vec::new());
    }
    let cells = values(query);
    // The offset of a page is at most the largest page number times the largest size, which are 31 and 32 bits wide.
    let (limit, offset) = (i64::from(query.limit), query.offset.cast_signed());
    let bounds: [&(dyn Value + Sync); 2] = [&limit, &offset];
    let params = [params(&tenant, &cells), bounds.to_vec()].concat();
    let rows = database.rows(&query.select(Dialect::Postgres), &params).await?;
    rows.iter().map(|stored| row(query, &Stored(stored))).collect()
}

/// PostgreSQL has no text with U+0000, and takes none as a value.
fn asks_for_nothing(query: &Query) -> bool {
    query.values().any(|(_, cell)| matches!(cell, Cell::Text(text) if text.contains('\0')))
}

fn values(query: &Query) -> Vec<AnyValue<'_>> {
    query.values().map(|(column, cell)| value(column.kind, cell)).collect()
}

/// The tenant and the values of the conditions.
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
