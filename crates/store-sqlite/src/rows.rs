//! Rows as they stand, of any table.

use std::sync::Arc;

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::ports::{Cell, Row, RowReader, RowStore};
use pointbook_schema::{CellRef, Dialect, Statement, Table, page};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Transaction, params_from_iter};

use crate::access::Snapshot;
use crate::error::{Outcome, StoreFailure};
use crate::row::{self, value};
use crate::store::SqliteTenant;
use crate::writer::back_office;

#[async_trait]
impl RowReader for SqliteTenant {
    async fn rows_after(
        &self,
        table: &'static Table,
        after: Option<&Row>,
        limit: u32,
    ) -> StoreResult<Vec<Row>> {
        self.access
            .read_in_background("rows_after", Some(&self.id), reading(self.id.clone(), table, after, limit))
            .await
    }
}

#[async_trait]
impl RowStore for SqliteTenant {
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
}

/// The rows of one tenant at one moment.
struct TenantSnapshot {
    snapshot: Snapshot,
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
        self.snapshot.read("rows_after", reading(self.tenant.clone(), table, after, limit)).await
    }
}

/// The work of reading a page.
fn reading(
    tenant: Arc<str>,
    table: &'static Table,
    after: Option<&Row>,
    limit: u32,
) -> impl FnOnce(&Connection) -> Outcome<Vec<Row>> + Send + use<> {
    let after = after.map(|row| table.key_of(row).to_vec());
    move |database| {
        if after.as_ref().is_some_and(Vec::is_empty) {
            return Ok(Vec::new());
        }
        let sql = page(Dialect::Sqlite, table, after.is_some());
        read(database, table, &sql, &tenant, limit, &after.unwrap_or_default())
    }
}

impl SqliteTenant {
    /// Runs a statement for each row, in one transaction; gives how many rows it changed.
    async fn for_each(
        &self,
        operation: &'static str,
        statement: Statement,
        rows: Vec<Row>,
    ) -> StoreResult<u64> {
        let tenant = self.id.clone();
        let work = move |database: &Transaction<'_>| {
            let mut changed = 0;
            for row in &rows {
                changed += row::write(database, &statement, &tenant, row)?;
            }
            Ok(changed as u64)
        };
        self.access.write(operation, back_office(&self.id), work).await
    }
}

fn read(
    database: &Connection,
    table: &Table,
    sql: &str,
    tenant: &str,
    limit: u32,
    after: &[Cell],
) -> Outcome<Vec<Row>> {
    let mut select = database.prepare_cached(sql)?;
    let first = [CellRef::Text(tenant.into()), CellRef::Integer(limit.into())];
    let values: Vec<_> = first.into_iter().chain(after.iter().map(CellRef::from)).collect();
    let mut found = select.query(params_from_iter(values.iter().map(value)))?;
    let mut rows = Vec::new();
    while let Some(stored) = found.next()? {
        let mut row = Row::with_capacity(table.columns.len());
        for (place, column) in table.columns.iter().enumerate() {
            let cell = cell(stored.get_ref(place)?).ok_or_else(|| {
                let row = table.describe(&row);
                StoreFailure::Corrupt(format!("{row}, column {}: neither text nor a number", column.name))
            })?;
            row.push(cell);
        }
        rows.push(row);
    }
    Ok(rows)
}

/// None for what no column has, and for text that is none.
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
    use pointbook_schema::TABLES;
    use pointbook_testkit::build;
    use rusqlite::Connection;

    use super::*;
    use crate::{SqliteOptions, SqliteStore};

    /// Each page would read all rows before or after it otherwise.
    #[test]
    fn a_page_is_a_place_in_the_key_of_its_table() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.db");
        drop(SqliteStore::open(&path, &SqliteOptions::new(build::noon())).unwrap());
        let database = Connection::open(path).unwrap();
        for table in &TABLES {
            for has_before in [false, table.key_columns > 0] {
                let mut plan = database
                    .prepare(&format!("EXPLAIN QUERY PLAN {}", page(Dialect::Sqlite, table, has_before)))
                    .unwrap();
                let mut steps = plan.raw_query();
                let step: String = steps.next().unwrap().unwrap().get("detail").unwrap();
                assert!(step.starts_with(&format!("SEARCH {} USING PRIMARY KEY", table.name)), "{step}");
                assert!(!has_before || step.contains('>'), "{step}");
                assert!(steps.next().unwrap().is_none(), "{}", table.name);
            }
        }
    }
}
