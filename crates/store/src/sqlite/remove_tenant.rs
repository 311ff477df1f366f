//! Removes a tenant with all its rows.

use pointbook_domain::TenantId;
use rusqlite::{Connection, Transaction};

use crate::schema::{Dialect, TABLES, Table, count_rows, remove_rows};
use crate::sqlite::error::Outcome;
use crate::sqlite::row;

pub(crate) fn count(database: &Connection, tenant: &TenantId, table: &Table) -> Outcome<u64> {
    row::count(table.name, database, &count_rows(Dialect::Sqlite, table), [tenant.as_str()])
}

/// Removes at most `limit` rows. Returns whether all are removed. Each call starts with the table that no other table refers
/// to, so that it also removes rows written since the last call.
pub(crate) fn remove(database: &Transaction<'_>, tenant: &TenantId, limit: u32) -> Outcome<bool> {
    let mut left = limit;
    for table in TABLES.iter().rev() {
        let removed = database.execute(&remove_rows(Dialect::Sqlite, table, left), [tenant.as_str()])?;
        left = left.saturating_sub(u32::try_from(removed).unwrap_or(u32::MAX));
        if left == 0 {
            return Ok(false);
        }
    }
    Ok(true)
}
