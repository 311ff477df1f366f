//! Reads and writes tenants.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use pointbook_domain::{BaseUrl, Environment, NewAuditEntry, Slug, Tenant, TenantId};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use thread_local::ThreadLocal;

use crate::ports::{InsertTenantError, StoreResult, TenantStore, TenantsVersion};
use crate::schema::rows::NewTenant;
use crate::schema::settings::{UnknownSettings, settings_from_json, settings_to_json};
use crate::schema::{ColumnAt, Dialect, OnConflict, Statement, Table};
use crate::sqlite::catalogue::threshold;
use crate::sqlite::error::Outcome;
use crate::sqlite::row::{missing, wrong};
use crate::sqlite::store::SqliteStore;
use crate::sqlite::writer::{SERVICE, SharedCommit};
use crate::sqlite::{audit_log, remove_tenant, row};
use crate::{select, statement};

#[async_trait]
impl TenantStore for SqliteStore {
    async fn tenants_version(&self) -> StoreResult<TenantsVersion> {
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

    async fn tenants(&self) -> StoreResult<Vec<Tenant>> {
        // The texts that a tenant may set can be large.
        self.access.read_in_background("tenants", None, all).await
    }

    async fn insert_tenant(&self, tenant: &Tenant, audit: &[NewAuditEntry]) -> Result<(), InsertTenantError> {
        let (tenant, audit) = (tenant.clone(), audit.to_vec());
        let write = move |database: &SharedCommit<'_>| audited(database, &tenant, &audit, insert);
        self.access.write("insert_tenant", SERVICE, write).await?
    }

    async fn update_tenant(&self, tenant: &Tenant, audit: &[NewAuditEntry]) -> Result<(), InsertTenantError> {
        let (tenant, audit) = (tenant.clone(), audit.to_vec());
        let write = move |database: &SharedCommit<'_>| audited(database, &tenant, &audit, update);
        self.access.write("update_tenant", SERVICE, write).await?
    }

    async fn may_remove_tenants(&self) -> StoreResult<bool> {
        Ok(true)
    }

    async fn count_tenant_rows(&self, tenant: &TenantId, table: &'static Table) -> StoreResult<u64> {
        let tenant = tenant.clone();
        let count = move |database: &Connection| remove_tenant::count(database, &tenant, table);
        self.access.read_in_background("count_tenant_rows", None, count).await
    }

    async fn remove_tenant_rows(&self, tenant: &TenantId, limit: u32) -> StoreResult<bool> {
        let tenant = tenant.clone();
        let remove = move |database: &SharedCommit<'_>| remove_tenant::remove(database, &tenant, limit);
        self.access.write("remove_tenant_rows", SERVICE, remove).await
    }
}

/// Caches the version of the tenants with the `data_version` of SQLite, which changes when another connection writes. Each
/// thread has its own connection and thus its own `data_version`. An unchanged file is not read again.
pub(crate) type TenantsVersionCache = ThreadLocal<Mutex<Option<(i64, TenantsVersion)>>>;

fn lock<T>(cached: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic under the lock cannot leave the value inconsistent, so a poisoned lock is usable.
    cached.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The result of a write to the tenants when the database did not fail.
type TenantWrite = Result<(), InsertTenantError>;

/// A digest of the rows that [`all`] reads. Parsing the rows costs several times as much.
fn version(database: &Connection) -> Outcome<TenantsVersion> {
    let mut select = database.prepare_cached(select_all())?;
    let columns = select.column_count();
    let mut rows = select.query([])?;
    let mut digest = DefaultHasher::new();
    while let Some(row) = rows.next()? {
        for column in 0..columns {
            match row.get_ref(column)? {
                ValueRef::Integer(number) => number.hash(&mut digest),
                ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.hash(&mut digest),
                ValueRef::Real(_) | ValueRef::Null => {}
            }
        }
    }
    Ok(TenantsVersion(digest.finish().to_string()))
}

fn select_all() -> &'static str {
    select!(Tenant, "ORDER BY slug, environment")
}

fn all(database: &Connection) -> Outcome<Vec<Tenant>> {
    row::all(database, select_all(), [])
}

/// Writes a tenant and, when that succeeds, the entries of its audit log.
fn audited(
    database: &Transaction<'_>,
    tenant: &Tenant,
    audit: &[NewAuditEntry],
    write: fn(&Transaction<'_>, &Tenant) -> Outcome<TenantWrite>,
) -> Outcome<TenantWrite> {
    let written = write(database, tenant)?;
    if written.is_ok() {
        audit_log::append(database, tenant.id.as_str(), audit)?;
    }
    Ok(written)
}

fn insert(database: &Transaction<'_>, tenant: &Tenant) -> Outcome<TenantWrite> {
    let Tenant { id, slug, environment, base_url, name, locale, settings, created_at, clock } = tenant;
    if has_name(database, slug, *environment)? {
        return Ok(Err(InsertTenantError::NameTaken));
    }
    if is_taken(database, base_url, id)? {
        return Ok(Err(InsertTenantError::BaseUrlTaken));
    }
    let (environment, created_at, clock) = (*environment, *created_at, *clock);
    let row = NewTenant { slug, environment, base_url, name, locale, settings, created_at, clock };
    let insert = statement!(Statement::insert::<NewTenant<'_>>(Dialect::Sqlite, OnConflict::Fail));
    row::write(database, insert, id.as_str(), &row)?;
    threshold::insert(database, id.as_str(), settings)?;
    Ok(Ok(()))
}

fn update(database: &Transaction<'_>, tenant: &Tenant) -> Outcome<TenantWrite> {
    let Tenant { id, slug: _, environment: _, base_url, name, locale, settings, created_at: _, clock: _ } =
        tenant;
    if is_taken(database, base_url, id)? {
        return Ok(Err(InsertTenantError::BaseUrlTaken));
    }
    let unknown = unknown_settings(database, id)?;
    let updated = database.execute(
        "UPDATE tenants SET base_url = ?2, name = ?3, locale = ?4, settings = ?5 WHERE id = ?1",
        params![id.as_str(), base_url.as_str(), name, locale.as_str(), settings_to_json(settings, &unknown),],
    )?;
    if updated != 1 {
        return Err(missing("tenants", id.as_str()));
    }
    threshold::update(database, id.as_str(), settings)?;
    Ok(Ok(()))
}

fn unknown_settings(database: &Transaction<'_>, id: &TenantId) -> Outcome<UnknownSettings> {
    let select = "SELECT id, settings FROM tenants WHERE id = ?1 ORDER BY id";
    let found = row::one_of(("tenants", 1), database, select, [id.as_str()])?;
    let (_, stored): (ColumnAt, String) = found.ok_or_else(|| missing("tenants", id.as_str()))?;
    let (_, unknown) = settings_from_json(&stored).map_err(|error| wrong("tenants", id.as_str(), error))?;
    Ok(unknown)
}

fn has_name(database: &Transaction<'_>, slug: &Slug, environment: Environment) -> Outcome<bool> {
    let same = "SELECT 1 FROM tenants WHERE slug = ?1 AND environment = ?2";
    Ok(database.query_row(same, [slug.as_str(), environment.as_str()], |_| Ok(())).optional()?.is_some())
}

/// Whether requests to this base URL reach a tenant other than `own`. Base URLs that differ only in the scheme collide, but
/// the unique constraint does not see that. So this function compares all tenants.
fn is_taken(database: &Transaction<'_>, base_url: &BaseUrl, own: &TenantId) -> Outcome<bool> {
    let select = "SELECT id, base_url FROM tenants WHERE id <> ?1 ORDER BY id";
    let others: Vec<(ColumnAt, BaseUrl)> = row::all_of(("tenants", 1), database, select, [own.as_str()])?;
    Ok(others.iter().any(|(_, other)| other.shares_address(base_url)))
}
