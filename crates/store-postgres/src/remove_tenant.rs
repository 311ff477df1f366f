//! Removing a tenant with everything that is stored for it.

use pointbook_schema::{Dialect, TABLES, Table, count_rows, remove_rows};

use crate::connection::{Connection, Transaction};
use crate::error::Outcome;

/// The service's role may not.
pub(crate) async fn is_allowed(database: &Connection) -> Outcome<bool> {
    let (is_allowed,) =
        database.only("tenants", "SELECT has_table_privilege('tenants', 'DELETE')", &[]).await?;
    Ok(is_allowed)
}

pub(crate) async fn count(database: &Connection, tenant: &str, table: &Table) -> Outcome<u64> {
    let (count,) = database.only(table.name, &count_rows(Dialect::Postgres, table), &[&tenant]).await?;
    Ok(count)
}

/// Begins each time with the table that nothing points into, so that what was written meanwhile goes too. Holds the
/// tenant's row first: no other transaction adds a row that points to it until this is committed.
pub(crate) async fn remove(database: &Transaction, tenant: &str, limit: u32) -> Outcome<bool> {
    database.row("SELECT id FROM tenants WHERE id = $1 FOR UPDATE", &[&tenant]).await?;
    let mut left = limit;
    for table in TABLES.iter().rev() {
        let removed = database.execute(&remove_rows(Dialect::Postgres, table, left), &[&tenant]).await?;
        left = left.saturating_sub(u32::try_from(removed).unwrap_or(u32::MAX));
        if left == 0 {
            return Ok(false);
        }
    }
    Ok(true)
}
