//! Removing a tenant with everything that is stored for it.

use pointbook_app::tables::{TABLES, Table};
use pointbook_domain::TenantId;
use rusqlite::{Connection, Transaction, params};

use crate::error::Outcome;
use crate::row::Record;
use crate::rows::of_table;

pub(crate) fn count(database: &Connection, tenant: &TenantId, table: &Table) -> Outcome<u64> {
    let sql = of_table(table, &format!("SELECT count(*) FROM {} WHERE tenant_id = ?1", table.name));
    let mut select = database.prepare_cached(&sql)?;
    let mut rows = select.query([tenant.as_str()])?;
    let Some(row) = rows.next()? else { return Ok(0) };
    Record::new(table.name, 0, row).read(0, |count: i64| u64::try_from(count))
}

/// Begins each time with the table that nothing points into, so that what was written meanwhile goes too.
pub(crate) fn remove(database: &Transaction<'_>, tenant: &TenantId, limit: u32) -> Outcome<bool> {
    let mut left = limit;
    for table in TABLES.iter().rev() {
        let removed = database.prepare_cached(&delete(table))?.execute(params![tenant.as_str(), left])?;
        left = left.saturating_sub(u32::try_from(removed).unwrap_or(u32::MAX));
        if left == 0 {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Rows that point into one another go together, as does the only row of a tenant.
fn delete(table: &Table) -> String {
    let key = Table::names(table.key());
    let sql = if table.parent_column.is_some() || table.key_columns == 0 {
        format!("DELETE FROM {} WHERE tenant_id = ?1 AND ?2 > 0", table.name)
    } else {
        format!(
            "DELETE FROM {table} WHERE tenant_id = ?1 AND ({key}) IN (
                 SELECT {key} FROM {table} WHERE tenant_id = ?1 ORDER BY {key} LIMIT ?2
             )",
            table = table.name
        )
    };
    of_table(table, &sql)
}
