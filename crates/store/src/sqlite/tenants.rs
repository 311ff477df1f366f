//! Follows and changes the list of tenants.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, Transaction};
use thread_local::ThreadLocal;

use crate::ports::{InsertTenantError, StoreResult, TenantChange, TenantRows, TenantsVersion, tenants_query};
use crate::schema::{ALL_TENANTS, Dialect, TABLES, remove_rows};
use crate::sqlite::audit_log;
use crate::sqlite::error::Outcome;
use crate::sqlite::row;
use crate::sqlite::rows::read;
use crate::sqlite::store::SqliteStore;

impl SqliteStore {
    pub(crate) async fn version_of_tenants(&self) -> StoreResult<TenantsVersion> {
        let file =
            |database: &Connection| Ok(database.query_row("PRAGMA data_version", [], |row| row.get(0))?);
        let file: i64 = self.access.read("data_version", file)?;
        let cached = self.tenants_version.get_or_default();
        if let Some((_, tenants)) = lock(cached).as_ref().filter(|(of_file, _)| *of_file == file) {
            return Ok(tenants.clone());
        }
        let tenants = self.access.read_in_background("tenants_version", None, version).await?;
        *lock(cached) = Some((file, tenants.clone()));
        Ok(tenants)
    }
}

/// Caches the version of the tenants with the `data_version` of SQLite, which changes when another connection writes. Each
/// thread has its own connection and thus its own `data_version`. An unchanged file is not read again.
pub(crate) type TenantsVersionCache = ThreadLocal<Mutex<Option<(i64, TenantsVersion)>>>;

fn lock<T>(cached: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic under the lock cannot leave the value inconsistent, so a poisoned lock is usable.
    cached.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A digest of the rows. Parsing them costs several times as much.
fn version(database: &Connection) -> Outcome<TenantsVersion> {
    let mut digest = DefaultHasher::new();
    read(database, ALL_TENANTS, &tenants_query())?.hash(&mut digest);
    Ok(TenantsVersion(digest.finish().to_string()))
}

pub(crate) fn change(
    database: &Transaction<'_>,
    change: &TenantChange,
) -> Outcome<Result<(), InsertTenantError>> {
    let tenant = change.tenant.id.as_str();
    let rows = TenantRows {
        all: read(database, ALL_TENANTS, &TenantChange::all())?,
        settings: read(database, tenant, &TenantChange::settings())?,
        catalogue: read(database, tenant, &TenantChange::catalogue())?,
    };
    let steps = match change.decide(&rows) {
        Ok(steps) => steps,
        Err(refusal) => return Ok(Err(refusal)),
    };
    for step in steps {
        row::write(database, &step.statement(Dialect::Sqlite), tenant, &step.values)?;
    }
    audit_log::append(database, tenant, &change.audit)?;
    Ok(Ok(()))
}

/// Removes at most `limit` rows. Returns whether all are removed. Each call starts with the table that no other table refers
/// to, so that it also removes rows written since the last call.
pub(crate) fn remove(database: &Transaction<'_>, tenant: &str, limit: u32) -> Outcome<bool> {
    let mut left = limit;
    for table in TABLES.iter().rev() {
        let removed = database.execute(&remove_rows(Dialect::Sqlite, table, left), [tenant])?;
        left = left.saturating_sub(u32::try_from(removed).unwrap_or(u32::MAX));
        if left == 0 {
            return Ok(false);
        }
    }
    Ok(true)
}
