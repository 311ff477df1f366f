//! Rows as they stand, of any table. The tenant is `?1` in every statement.

use std::sync::Arc;

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::ports::{Cell, Row, RowReader, RowStore};
use pointbook_app::tables::{Column, Table};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, Transaction, params_from_iter};

use crate::access::Snapshot;
use crate::error::{Outcome, StoreFailure};
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
        self.for_each("write_rows", insert(table), rows.to_vec()).await
    }

    async fn remove_rows(&self, table: &'static Table, rows: &[Row]) -> StoreResult<()> {
        table.check_removable()?;
        let keys = rows.iter().map(|row| table.key_of(row).to_vec()).collect();
        self.for_each("remove_rows", delete(table), keys).await.map(drop)
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
        let (sql, limit) = (page(table, after.is_some()), Cell::Integer(limit.into()));
        read(database, table, &sql, &tenant, after.iter().flatten().chain([&limit]))
    }
}

impl SqliteTenant {
    /// Runs a statement for each row, in one transaction; gives how many rows it changed.
    async fn for_each(&self, operation: &'static str, sql: String, rows: Vec<Row>) -> StoreResult<u64> {
        let tenant = self.id.clone();
        let work = move |database: &Transaction<'_>| {
            let mut statement = database.prepare_cached(&sql)?;
            let mut changed = 0;
            for row in &rows {
                changed += statement.execute(params_from_iter(values(&tenant, row)))?;
            }
            Ok(changed as u64)
        };
        self.access.write(operation, back_office(&self.id), work).await
    }
}

fn page(table: &Table, has_before: bool) -> String {
    let (columns, key) = (Table::names(table.columns), Table::names(table.key()));
    let after =
        if has_before { format!("AND ({key}) > ({})", places(2, table.key())) } else { String::new() };
    let order = if key.is_empty() { "tenant_id" } else { &key };
    let limit = if has_before { table.key_columns + 2 } else { 2 };
    let sql = format!(
        "SELECT {columns} FROM {table} WHERE tenant_id = ?1 {after} ORDER BY {order} LIMIT ?{limit}",
        table = table.name
    );
    of_table(table, &sql)
}

fn insert(table: &Table) -> String {
    let (columns, values) = (Table::names(table.columns), places(2, table.columns));
    let key = ["tenant_id"].into_iter().chain(table.key().iter().map(|column| column.name));
    let others = table.columns.iter().skip(table.key_columns);
    let replaced = others.map(|Column { name, .. }| format!("{name} = excluded.{name}"));
    let on_conflict = if table.is_append_only {
        "DO NOTHING".to_owned()
    } else {
        format!("({}) DO UPDATE SET {}", join(key), join(replaced))
    };
    let sql = format!(
        "INSERT INTO {table} (tenant_id, {columns}) VALUES (?1, {values}) ON CONFLICT {on_conflict}",
        table = table.name
    );
    of_table(table, &sql)
}

fn delete(table: &Table) -> String {
    let key = table.key().iter().zip(2..);
    let key: Vec<_> = key.map(|(column, place)| format!(" AND {} = ?{place}", column.name)).collect();
    let sql = format!("DELETE FROM {} WHERE tenant_id = ?1{}", table.name, key.concat());
    of_table(table, &sql)
}

/// In the list of tenants, their id is the key.
pub(crate) fn of_table(table: &Table, sql: &str) -> String {
    sql.replace("tenant_id", table.tenant_column)
}

fn places(first: usize, columns: &[Column]) -> String {
    join(columns.iter().zip(first..).map(|(_, place)| format!("?{place}")))
}

fn join(parts: impl Iterator<Item: AsRef<str>>) -> String {
    let parts: Vec<_> = parts.map(|part| part.as_ref().to_owned()).collect();
    parts.join(", ")
}

/// The values of a statement: the tenant and these.
fn values<'c>(
    tenant: &'c str,
    cells: impl IntoIterator<Item = &'c Cell>,
) -> impl Iterator<Item = ToSqlOutput<'c>> {
    let value = |cell: &'c Cell| match cell {
        Cell::Null => ValueRef::Null,
        Cell::Integer(number) => ValueRef::Integer(*number),
        Cell::Text(text) => ValueRef::Text(text.as_bytes()),
        Cell::Bytes(bytes) => ValueRef::Blob(bytes),
    };
    let tenant = ValueRef::Text(tenant.as_bytes());
    std::iter::once(tenant).chain(cells.into_iter().map(value)).map(ToSqlOutput::Borrowed)
}

fn read<'c>(
    database: &Connection,
    table: &Table,
    sql: &str,
    tenant: &'c str,
    cells: impl Iterator<Item = &'c Cell>,
) -> Outcome<Vec<Row>> {
    let mut select = database.prepare_cached(sql)?;
    let mut found = select.query(params_from_iter(values(tenant, cells)))?;
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
    use pointbook_app::tables::TABLES;
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
                let mut plan =
                    database.prepare(&format!("EXPLAIN QUERY PLAN {}", page(table, has_before))).unwrap();
                let mut steps = plan.raw_query();
                let step: String = steps.next().unwrap().unwrap().get("detail").unwrap();
                assert!(step.starts_with(&format!("SEARCH {} USING PRIMARY KEY", table.name)), "{step}");
                assert!(!has_before || step.contains('>'), "{step}");
                assert!(steps.next().unwrap().is_none(), "{}", table.name);
            }
        }
    }
}
