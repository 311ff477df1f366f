//! Reads and writes raw rows of any table.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use async_trait::async_trait;
use pointbook_domain::PageRequest;

use crate::ports::{PageOf, Query, Row, RowReader, RowStore, StoreResult};
use crate::postgres::connection::Transaction;
use crate::postgres::error::Outcome;
use crate::postgres::feed;
use crate::postgres::pipeline::both;
use crate::postgres::raw_rows::{cells, check_texts, count, read, select};
use crate::postgres::scoped::IntoScoped;
use crate::postgres::store::PostgresTenant;
use crate::schema::{Dialect, FEED_BLOCKS, Hold, Statement, Table};

#[async_trait]
impl RowReader for PostgresTenant {
    async fn rows(&self, query: &Query) -> StoreResult<Vec<Row>> {
        if query.is_urgent {
            return self.access.read(query.name, |database| read(database, &self.id, query).scoped()).await;
        }
        self.access.read_snapshot(query.name, |database| read_all(database, &self.id, query).scoped()).await
    }
}

#[async_trait]
impl RowStore for PostgresTenant {
    fn tenant(&self) -> &str {
        &self.id
    }

    async fn few_rows(&self, query: &Query) -> StoreResult<Vec<Row>> {
        self.access.read_short(query.name, |database| read(database, &self.id, query).scoped()).await
    }

    async fn row_page(&self, query: &Query, page: PageRequest) -> StoreResult<PageOf<Row>> {
        let query = &query.clone().skip(page.offset()).limit(page.size.get());
        self.access.read_snapshot(query.name, |database| read_page(database, &self.id, query).scoped()).await
    }

    async fn count(&self, query: &Query) -> StoreResult<u64> {
        self.access.read(query.name, |database| count(database, &self.id, query).scoped()).await
    }

    async fn row_snapshot(&self) -> StoreResult<Box<dyn RowReader>> {
        let database = self.access.open_snapshot("row_snapshot").await?;
        database.batch(NO_IDLE_TIMEOUT).await?;
        Ok(Box::new(TenantSnapshot { database, tenant: self.id.clone() }))
    }

    async fn write_rows(&self, table: &'static Table, rows: &[Row]) -> StoreResult<u64> {
        check_texts(table, table.columns, rows)?;
        let insert = Statement::insert_rows(Dialect::Postgres, table);
        self.access
            .write("write_rows", |database| {
                // A copy writes whole rows, so a unique violation is no race: another row has the key for good.
                let written = write_all(database, &self.id, table, &insert, rows);
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

    async fn remove_some(&self, query: &Query) -> StoreResult<u32> {
        let query = &query.clone().only_keys();
        self.access.write(query.name, |database| remove(database, &self.id, query).scoped()).await
    }
}

/// Removes the rows of a query for keys. The keys are read first, because a single DELETE with a limit parameter makes PostgreSQL plan to
/// read all rows.
async fn remove(database: &Transaction, tenant: &str, query: &Query) -> Outcome<u32> {
    let found = select(database, tenant, query, Some(Hold::Skipping)).await?;
    let keys = found.iter().map(|stored| cells(query.table, &query.columns, stored));
    let keys: Vec<Row> = keys.collect::<Outcome<_>>()?;
    let delete = Statement::delete_rows(Dialect::Postgres, query.table);
    let removed = database.write(&delete, tenant, &keys).await?;
    // The query has at most as many rows as its limit, which is a `u32`.
    Ok(u32::try_from(removed).unwrap_or(query.limit))
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

async fn write_all(
    database: &Transaction,
    tenant: &str,
    table: &Table,
    insert: &Statement,
    rows: &[Row],
) -> Outcome<u64> {
    let written = database.write(insert, tenant, rows).await?;
    if table.name == FEED_BLOCKS.name {
        feed::pass_ordinals(database, tenant).await?;
    }
    Ok(written)
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
    let (total, items) = both(count(database, tenant, query), read(database, tenant, query)).await?;
    Ok(PageOf { items, total })
}
