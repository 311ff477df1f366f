//! Follows and changes the list of tenants.

use crate::ports::{InsertTenantError, TenantChange, TenantRows};
use crate::postgres::audit_log;
use crate::postgres::connection::Transaction;
use crate::postgres::error::Outcome;
use crate::postgres::raw_rows::read;
use crate::schema::{ALL_TENANTS, Dialect, TABLES, remove_rows};

/// The server computes the sum of the hashes, so that the rows are not transferred.
pub(crate) const VERSION: &str =
    "SELECT coalesce(sum(hashtextextended(concat_ws('|', id, slug, environment, base_url, name,
         locale, settings, created_at, clock_offset), 0)), 0)::TEXT FROM tenants";

/// False for the service role.
pub(crate) const MAY_REMOVE: &str = "SELECT has_table_privilege('tenants', 'DELETE')";

/// Blocks other writers of the list, because no constraint covers all its rules. Readers and the writes of tenants continue.
const LOCK_LIST: &str = "LOCK TABLE tenants IN SHARE ROW EXCLUSIVE MODE";

/// Blocks new writes of tenants too. A new base URL changes a unique key, so PostgreSQL waits until no transaction refers to
/// the row. With constant traffic it would wait without end, so new writes wait for a moment instead.
const LOCK_LIST_AND_KEYS: &str = "LOCK TABLE tenants IN EXCLUSIVE MODE";

/// The lock on the row of a tenant, so that no other transaction adds rows before the commit.
const LOCK_TENANT: &str = "SELECT id FROM tenants WHERE id = $1 FOR UPDATE";

pub(crate) async fn change(
    database: &Transaction,
    change: &TenantChange,
) -> Outcome<Result<(), InsertTenantError>> {
    let tenant = change.tenant.id.as_str();
    let moves = !change.is_new && {
        let before = read(database, tenant, &TenantChange::settings()).await?;
        change.moves(&before)?
    };
    database.batch(if moves { LOCK_LIST_AND_KEYS } else { LOCK_LIST }).await?;
    let rows = TenantRows {
        all: read(database, ALL_TENANTS, &TenantChange::all()).await?,
        settings: read(database, tenant, &TenantChange::settings()).await?,
        catalogue: read(database, tenant, &TenantChange::catalogue()).await?,
    };
    let steps = match change.decide(&rows) {
        Ok(steps) => steps,
        Err(refusal) => return Ok(Err(refusal)),
    };
    for step in steps {
        let (statement, changes_one) = (step.statement(Dialect::Postgres), step.changes_one());
        let values = [step.values];
        if changes_one {
            database.write_all(&statement, tenant, &values).await?;
        } else {
            database.write(&statement, tenant, &values).await?;
        }
    }
    audit_log::append(database, tenant, &change.audit).await?;
    Ok(Ok(()))
}

/// Removes at most `limit` rows. Returns whether all are removed. Each call starts with the table that no other table refers
/// to, so that it also removes rows written since the last call.
pub(crate) async fn remove(database: &Transaction, tenant: &str, limit: u32) -> Outcome<bool> {
    database.row(LOCK_TENANT, &[&tenant]).await?;
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
