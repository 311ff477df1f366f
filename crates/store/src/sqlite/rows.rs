//! Reads and writes raw rows of any table.

use std::sync::Arc;

use async_trait::async_trait;
use pointbook_domain::PageRequest;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, params_from_iter};

use crate::ports::{Cell, PageOf, Query, Row, RowReader, RowStore, StoreResult};
use crate::schema::{CellRef, Dialect, Record, Statement, Table};
use crate::sqlite::access::{Snapshot, in_snapshot};
use crate::sqlite::error::Outcome;
use crate::sqlite::row;
use crate::sqlite::row::{Stored, value};
use crate::sqlite::store::SqliteTenant;
use crate::sqlite::writer::{SERVICE, SharedCommit, back_office};

#[async_trait]
impl RowReader for SqliteTenant {
    async fn rows(&self, query: &Query) -> StoreResult<Vec<Row>> {
        let (name, tenant, query) = (query.name, self.id.clone(), query.clone());
        let is_urgent = query.is_urgent;
        let work = move |database: &Connection| read(database, &tenant, &query);
        if is_urgent {
            return self.access.read_catalogue(name, work).await;
        }
        self.access.read_in_background(name, Some(&self.id), work).await
    }
}

/// The most rows of a user that the calling thread counts and skips. That takes about a millisecond.
const MAX_SHORT_ROWS: u64 = 1_000;

#[async_trait]
impl RowStore for SqliteTenant {
    fn tenant(&self) -> &str {
        &self.id
    }

    async fn few_rows(&self, query: &Query) -> StoreResult<Vec<Row>> {
        self.access.read(query.name, |database| read(database, &self.id, query))
    }

    async fn row_page(&self, query: &Query, page: PageRequest) -> StoreResult<PageOf<Row>> {
        if query.is_of_user() {
            let short = self.access.read(query.name, |database| {
                in_snapshot(database, |database| short_page(database, &self.id, query, page))
            })?;
            if let Some(page) = short {
                return Ok(page);
            }
        }
        let (name, tenant, query) = (query.name, self.id.clone(), query.clone());
        let work = move |database: &Connection| read_page(database, &tenant, query, page);
        self.access.read_long(name, &self.id, work).await
    }

    async fn count(&self, query: &Query) -> StoreResult<u64> {
        let (name, tenant, query) = (query.name, self.id.clone(), query.clone());
        let work = move |database: &Connection| count(database, &tenant, &query);
        self.access.read_in_background(name, Some(&self.id), work).await
    }

    async fn row_snapshot(&self) -> StoreResult<Box<dyn RowReader>> {
        let snapshot = self.access.open_snapshot("row_snapshot").await?;
        Ok(Box::new(TenantSnapshot { snapshot, tenant: self.id.clone() }))
    }

    async fn write_rows(&self, table: &'static Table, rows: &[Row]) -> StoreResult<u64> {
        self.for_each("write_rows", Statement::insert_rows(Dialect::Sqlite, table), rows.to_vec()).await
    }

    async fn remove_rows(&self, table: &'static Table, rows: &[Row]) -> StoreResult<()> {
        table.check_removable()?;
        let keys = rows.iter().map(|row| table.key_of(row).to_vec()).collect();
        self.for_each("remove_rows", Statement::delete_rows(Dialect::Sqlite, table), keys).await.map(drop)
    }

    async fn remove_some(&self, query: &Query) -> StoreResult<u32> {
        let (name, tenant, query) = (query.name, self.id.clone(), query.clone().only_keys());
        let delete = Statement::delete_rows(Dialect::Sqlite, query.table);
        let work = move |database: &SharedCommit<'_>| {
            let keys = read(database, &tenant, &query)?;
            keys.iter().try_for_each(|key| row::write(database, &delete, &tenant, key).map(drop))?;
            // The query has at most as many rows as its limit, which is a `u32`.
            Ok(u32::try_from(keys.len()).unwrap_or(query.limit))
        };
        self.access.write(name, SERVICE, work).await
    }
}

/// A snapshot of the rows of one tenant.
struct TenantSnapshot {
    snapshot: Snapshot,
    tenant: Arc<str>,
}

#[async_trait]
impl RowReader for TenantSnapshot {
    async fn rows(&self, query: &Query) -> StoreResult<Vec<Row>> {
        let (name, tenant, query) = (query.name, self.tenant.clone(), query.clone());
        self.snapshot.read(name, move |database| read(database, &tenant, &query)).await
    }
}

impl SqliteTenant {
    /// Runs a statement for each row in one transaction. Returns the number of changed rows.
    async fn for_each(
        &self,
        operation: &'static str,
        statement: Statement,
        rows: Vec<Row>,
    ) -> StoreResult<u64> {
        let tenant = self.id.clone();
        let work = move |database: &SharedCommit<'_>| {
            let mut changed = 0;
            for row in &rows {
                changed += row::write(database, &statement, &tenant, row)?;
            }
            Ok(changed as u64)
        };
        self.access.write(operation, back_office(&self.id), work).await
    }
}

pub(crate) fn read(database: &Connection, tenant: &str, query: &Query) -> Outcome<Vec<Row>> {
    query.check_tenant(tenant)?;
    let mut select = database.prepare_cached(&query.select(Dialect::Sqlite))?;
    let values = parameters(tenant, query);
    let mut found = select.query(params_from_iter(values.iter().map(value)))?;
    let mut rows = Vec::new();
    while let Some(stored) = found.next()? {
        rows.push(row(query, stored)?);
    }
    Ok(rows)
}

/// The parameters of the `SELECT` of a query.
pub(crate) fn parameters<'q>(tenant: &'q str, query: &'q Query) -> Vec<CellRef<'q>> {
    // The offset is at most the number of rows, which fits a signed number.
    let bounds = [i64::from(query.limit), query.offset.cast_signed()].map(CellRef::Integer);
    conditions(tenant, query).chain(bounds).collect()
}

fn row(query: &Query, stored: &rusqlite::Row<'_>) -> Outcome<Row> {
    let cells = (0..query.columns.len()).map(|column| {
        cell(stored.get_ref(column)?).ok_or_else(|| {
            let stored = Stored(stored);
            let record = Record::new(query.table.name, query.key_columns, &stored);
            record.corrupt(column, "neither valid UTF-8 nor a whole number").into()
        })
    });
    cells.collect()
}

/// The parameters of the query: the tenant, unless it is of all, then the values of the conditions.
pub(crate) fn conditions<'q>(tenant: &'q str, query: &'q Query) -> impl Iterator<Item = CellRef<'q>> {
    let tenant = (!query.is_of_all_tenants).then(|| CellRef::Text(tenant.into()));
    tenant.into_iter().chain(query.values().map(|(_, cell)| CellRef::from(cell)))
}

fn count(database: &Connection, tenant: &str, query: &Query) -> Outcome<u64> {
    query.check_tenant(tenant)?;
    let chosen = conditions(tenant, query).collect::<Vec<_>>();
    let chosen = params_from_iter(chosen.iter().map(value));
    row::count(query.table.name, database, &query.count(Dialect::Sqlite), chosen)
}

/// Reads a page and the total. Call it inside a read transaction, so that both are consistent.
fn read_page(database: &Connection, tenant: &str, query: Query, page: PageRequest) -> Outcome<PageOf<Row>> {
    let total = count(database, tenant, &query)?;
    if page.offset() >= total {
        return Ok(PageOf { items: Vec::new(), total });
    }
    let items = read(database, tenant, &query.skip(page.offset()).limit(page.size.get()))?;
    Ok(PageOf { items, total })
}

/// Reads a page of rows of one user. Returns `None`, without reading the page, when the user has many rows.
fn short_page(
    database: &Connection,
    tenant: &str,
    query: &Query,
    page: PageRequest,
) -> Outcome<Option<PageOf<Row>>> {
    let beyond = query.all_of_user().skip(MAX_SHORT_ROWS).limit(1);
    let has_many = !read(database, tenant, &beyond)?.is_empty();
    if has_many { Ok(None) } else { read_page(database, tenant, query.clone(), page).map(Some) }
}

/// Converts a value. Returns `None` for a floating-point number, which no column has, and for invalid UTF-8.
fn cell(value: ValueRef<'_>) -> Option<Cell> {
    match value {
        ValueRef::Null => Some(Cell::Null),
        ValueRef::Integer(number) => Some(Cell::Integer(number)),
        ValueRef::Text(bytes) => std::str::from_utf8(bytes).ok().map(|text| Cell::Text(text.into())),
        ValueRef::Blob(bytes) => Some(Cell::Bytes(bytes.into())),
        ValueRef::Real(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use pointbook_testkit::build;
    use rusqlite::Connection;

    use super::*;
    use crate::ports::{SortedBy, StoredProductFilter, StoredProductSort};
    use crate::schema::TABLES;
    use crate::sqlite::{SqliteOptions, SqliteStore};

    fn steps_of(database: &Connection, sql: &str) -> Vec<String> {
        let mut plan = database.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let mut steps = plan.raw_query();
        let mut details = Vec::new();
        while let Some(step) = steps.next().unwrap() {
            details.push(step.get("detail").unwrap());
        }
        details
    }

    fn new_database() -> (tempfile::TempDir, Connection) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.db");
        drop(SqliteStore::open(&path, &SqliteOptions::new(build::noon())).unwrap());
        let database = Connection::open(path).unwrap();
        (folder, database)
    }

    /// Otherwise each page would read all rows before or after it.
    #[test]
    fn page_of_table_is_range_of_primary_key() {
        let (_folder, database) = new_database();
        for table in &TABLES {
            for has_before in [false, table.key_columns > 0] {
                let before = has_before.then(|| vec![Cell::Null; table.key_columns]);
                let sql = Query::of_table("page", table).after(before.as_ref()).select(Dialect::Sqlite);
                let steps = steps_of(&database, &sql);
                let [step] = steps.as_slice() else { panic!("{}: {steps:?}", table.name) };
                assert!(step.starts_with(&format!("SEARCH {} USING PRIMARY KEY", table.name)), "{step}");
                assert!(!has_before || step.contains('>'), "{step}");
            }
        }
    }

    /// The descriptions of a large catalogue are many megabytes.
    #[test]
    fn lists_of_products_choose_and_sort_without_descriptions() {
        let (_folder, database) = new_database();
        let sort = |by| Some(StoredProductSort { by, is_descending: false });
        let all = StoredProductFilter::default();
        let low = StoredProductFilter { stock: Some([1, 5]), ..all.clone() };
        let counted = [&all, &low].map(|filter| filter.query().count(Dialect::Sqlite));
        let orders = [None, sort(SortedBy::Title), sort(SortedBy::Price), sort(SortedBy::Stock)];
        let sorted = orders.map(|sort| {
            let filter = StoredProductFilter { sort, ..low.clone() };
            filter.query().select(Dialect::Sqlite).into_owned()
        });
        for sql in counted.iter().chain(&sorted) {
            let steps = steps_of(&database, sql);
            assert!(
                steps.iter().any(|step| step.contains("USING COVERING INDEX products_listed")),
                "{steps:?}"
            );
            let reads_all = |step: &String| step.ends_with("PRIMARY KEY (tenant_id=?)");
            assert!(!steps.iter().any(reads_all), "{steps:?}");
        }
    }
}
