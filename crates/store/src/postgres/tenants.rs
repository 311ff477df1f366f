//! Reads and writes tenants.

use async_trait::async_trait;
use pointbook_domain::{BaseUrl, Environment, NewAuditEntry, Slug, Tenant, TenantId};

use crate::ports::{InsertTenantError, StoreResult, TenantStore, TenantsVersion};
use crate::postgres::audit_log;
use crate::postgres::catalogue::{insert_threshold, update_threshold};
use crate::postgres::connection::{Params, Transaction};
use crate::postgres::error::Outcome;
use crate::postgres::row::{missing, wrong};
use crate::postgres::scoped::IntoScoped;
use crate::postgres::store::PostgresStore;
use crate::schema::rows::NewTenant;
use crate::schema::settings::{UnknownSettings, settings_from_json, settings_to_json};
use crate::schema::{ColumnAt, Dialect, OnConflict, Statement, TABLES, Table, count_rows, remove_rows};
use crate::{select, statement};

#[async_trait]
impl TenantStore for PostgresStore {
    async fn tenants_version(&self) -> StoreResult<TenantsVersion> {
        // The server computes the sum of the rows' hashes, so that the rows are not transferred.
        let select =
            "SELECT coalesce(sum(hashtextextended(concat_ws('|', id, slug, environment, base_url, name,
                          locale, settings, created_at, clock_offset), 0)), 0)::TEXT
                      FROM tenants";
        let (version,) = self
            .access
            .read("tenants_version", |database| database.only("tenants", select, &[]).scoped())
            .await?;
        Ok(TenantsVersion(version))
    }

    async fn tenants(&self) -> StoreResult<Vec<Tenant>> {
        let select = select!(Tenant, "ORDER BY slug, environment");
        self.access.read("tenants", |database| database.all(select, &[]).scoped()).await
    }

    async fn insert_tenant(&self, tenant: &Tenant, audit: &[NewAuditEntry]) -> Result<(), InsertTenantError> {
        let access = self.access.of(tenant.id.as_str());
        access.write_now("insert_tenant", |database| insert(database, tenant, audit).scoped()).await?
    }

    async fn update_tenant(&self, tenant: &Tenant, audit: &[NewAuditEntry]) -> Result<(), InsertTenantError> {
        let access = self.access.of(tenant.id.as_str());
        access.write_now("update_tenant", |database| update(database, tenant, audit).scoped()).await?
    }

    /// False for the service role.
    async fn may_remove_tenants(&self) -> StoreResult<bool> {
        let select = "SELECT has_table_privilege('tenants', 'DELETE')";
        let (is_allowed,) = self
            .access
            .read("may_remove_tenants", |database| database.only("tenants", select, &[]).scoped())
            .await?;
        Ok(is_allowed)
    }

    async fn count_tenant_rows(&self, tenant: &TenantId, table: &'static Table) -> StoreResult<u64> {
        let (select, access) = (&count_rows(Dialect::Postgres, table), self.access.of(tenant.as_str()));
        let params: Params<'_> = &[&tenant.as_str()];
        let (count,) = access
            .read("count_tenant_rows", |database| database.only(table.name, select, params).scoped())
            .await?;
        Ok(count)
    }

    async fn remove_tenant_rows(&self, tenant: &TenantId, limit: u32) -> StoreResult<bool> {
        let (id, access) = (tenant.as_str(), self.access.of(tenant.as_str()));
        access.write_now("remove_tenant_rows", |database| remove_rows_of(database, id, limit).scoped()).await
    }
}

/// The result of a write to the tenants when the database did not fail.
type TenantWrite = Result<(), InsertTenantError>;

/// Blocks other writers of the list, because no constraint covers all its rules. Readers and the writes of tenants continue.
const LOCK_LIST: &str = "LOCK TABLE tenants IN SHARE ROW EXCLUSIVE MODE";

/// Blocks new writes of tenants too. A new base URL changes a unique key, so PostgreSQL waits until no transaction refers to
/// the row. With constant traffic it would wait without end, so new writes wait for a moment instead.
const LOCK_LIST_AND_KEYS: &str = "LOCK TABLE tenants IN EXCLUSIVE MODE";

async fn insert(database: &Transaction, tenant: &Tenant, audit: &[NewAuditEntry]) -> Outcome<TenantWrite> {
    let Tenant { id, slug, environment, base_url, name, locale, settings, created_at, clock } = tenant;
    database.batch(LOCK_LIST).await?;
    if has_name(database, slug, *environment).await? {
        return Ok(Err(InsertTenantError::NameTaken));
    }
    if is_taken(database, base_url, id).await? {
        return Ok(Err(InsertTenantError::BaseUrlTaken));
    }
    let (environment, created_at, clock) = (*environment, *created_at, *clock);
    let row = NewTenant { slug, environment, base_url, name, locale, settings, created_at, clock };
    let insert = statement!(Statement::insert::<NewTenant<'_>>(Dialect::Postgres, OnConflict::Fail));
    database.write(insert, id.as_str(), &[row]).await?;
    insert_threshold(database, id.as_str(), settings).await?;
    audit_log::append(database, id.as_str(), audit).await?;
    Ok(Ok(()))
}

async fn update(database: &Transaction, tenant: &Tenant, audit: &[NewAuditEntry]) -> Outcome<TenantWrite> {
    let Tenant { id, slug: _, environment: _, base_url, name, locale, settings, created_at: _, clock: _ } =
        tenant;
    let same = "SELECT id FROM tenants WHERE id = $1 AND base_url = $2";
    let stays = database.row(same, &[&id.as_str(), &base_url.as_str()]).await?.is_some();
    database.batch(if stays { LOCK_LIST } else { LOCK_LIST_AND_KEYS }).await?;
    if is_taken(database, base_url, id).await? {
        return Ok(Err(InsertTenantError::BaseUrlTaken));
    }
    let stored = settings_to_json(settings, &unknown_settings(database, id).await?);
    let update = "UPDATE tenants SET base_url = $2, name = $3, locale = $4, settings = $5 WHERE id = $1";
    database.execute(update, &[&id.as_str(), &base_url.as_str(), name, &locale.as_str(), &stored]).await?;
    update_threshold(database, id.as_str(), settings).await?;
    audit_log::append(database, id.as_str(), audit).await?;
    Ok(Ok(()))
}

async fn unknown_settings(database: &Transaction, id: &TenantId) -> Outcome<UnknownSettings> {
    let select = "SELECT id, settings FROM tenants WHERE id = $1 ORDER BY id";
    let found = database.one_of(("tenants", 1), select, &[&id.as_str()]).await?;
    let (_, stored): (ColumnAt, String) = found.ok_or_else(|| missing("tenants", id.as_str()))?;
    let (_, unknown) = settings_from_json(&stored).map_err(|error| wrong("tenants", id.as_str(), error))?;
    Ok(unknown)
}

async fn has_name(database: &Transaction, slug: &Slug, environment: Environment) -> Outcome<bool> {
    let same = "SELECT id FROM tenants WHERE slug = $1 AND environment = $2";
    Ok(database.row(same, &[&slug.as_str(), &environment.as_str()]).await?.is_some())
}

/// Whether requests to this base URL reach a tenant other than `own`. Base URLs that differ only in the scheme collide, but
/// the unique constraint does not see that. So this function compares all tenants.
async fn is_taken(database: &Transaction, base_url: &BaseUrl, own: &TenantId) -> Outcome<bool> {
    let others = "SELECT id, base_url FROM tenants WHERE id <> $1 ORDER BY id";
    let others: Vec<(ColumnAt, BaseUrl)> = database.all_of(("tenants", 1), others, &[&own.as_str()]).await?;
    Ok(others.iter().any(|(_, other)| other.shares_address(base_url)))
}

/// Removes at most `limit` rows. Returns whether all are removed. Each call starts with the table that no other table refers
/// to, so that it also removes rows written since the last call. It locks the tenant's row first, so that no other
/// transaction adds rows before the commit.
async fn remove_rows_of(database: &Transaction, tenant: &str, limit: u32) -> Outcome<bool> {
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
