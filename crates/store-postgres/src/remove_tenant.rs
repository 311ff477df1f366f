//! Removing a tenant with everything that is stored for it.

use pointbook_app::tables::{TABLES, Table};

use crate::connection::{Connection, Transaction};
use crate::error::Outcome;
use crate::row::{Record, missing};
use crate::rows::of_table;

/// The service's role may not.
pub(crate) async fn is_allowed(database: &Connection) -> Outcome<bool> {
    let row = database.row("SELECT has_table_privilege('tenants', 'DELETE')", &[]).await?;
    let row = row.ok_or_else(|| missing("tenants", "has_table_privilege"))?;
    Record::new("tenants", 0, &row).get(0)
}

pub(crate) async fn count(database: &Connection, tenant: &str, table: &Table) -> Outcome<u64> {
    let sql = of_table(table, &format!("SELECT count(*) FROM {} WHERE tenant_id = $1", table.name));
    let row = database.row(&sql, &[&tenant]).await?.ok_or_else(|| missing(table.name, tenant))?;
    Record::new(table.name, 0, &row).read(0, |count: i64| u64::try_from(count))
}

/// Begins each time with the table that nothing points into, so that what was written meanwhile goes too. Holds the
/// tenant's row first: no other transaction adds a row that points to it until this is committed.
pub(crate) async fn remove(database: &Transaction, tenant: &str, limit: u32) -> Outcome<bool> {
    database.row("SELECT id FROM tenants WHERE id = $1 FOR UPDATE", &[&tenant]).await?;
    let mut left = limit;
    for table in TABLES.iter().rev() {
        let removed = database.execute(&delete(table, left), &[&tenant]).await?;
        left = left.saturating_sub(u32::try_from(removed).unwrap_or(u32::MAX));
        if left == 0 {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Rows that point into one another go together, as does the only row of a tenant. The limit stands in the statement,
/// because a plan for a limit that is not known reads all rows.
fn delete(table: &Table, limit: u32) -> String {
    let key = Table::names(table.key());
    let sql = if table.parent_column.is_some() || table.key_columns == 0 {
        format!("DELETE FROM {} WHERE tenant_id = $1", table.name)
    } else {
        format!(
            "DELETE FROM {table} WHERE tenant_id = $1 AND ({key}) IN (
                 SELECT {key} FROM {table} WHERE tenant_id = $1 ORDER BY {key} LIMIT {limit}
             )",
            table = table.name
        )
    };
    of_table(table, &sql)
}
