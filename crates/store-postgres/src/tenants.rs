//! The tenants themselves.

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::ports::{InsertTenantError, TenantStore, TenantsVersion};
use pointbook_domain::{BaseUrl, Environment, Slug, Tenant, TenantId};
use pointbook_schema::rows::NewTenant;
use pointbook_schema::settings::{UnknownSettings, settings_from_json, settings_to_json};
use pointbook_schema::{ColumnAt, Dialect, OnConflict, Statement, Table, select, statement};

use crate::catalogue::{insert_threshold, update_threshold};
use crate::connection::{Connection, Transaction};
use crate::error::Outcome;
use crate::remove_tenant;
use crate::row::{missing, wrong};
use crate::scoped::IntoScoped;
use crate::store::PostgresStore;

#[async_trait]
impl TenantStore for PostgresStore {
    async fn tenants_version(&self) -> StoreResult<TenantsVersion> {
        self.access.read("tenants_version", |database| version(database).scoped()).await
    }

    async fn tenants(&self) -> StoreResult<Vec<Tenant>> {
        self.access.read("tenants", |database| all(database).scoped()).await
    }

    async fn insert_tenant(&self, tenant: &Tenant) -> Result<(), InsertTenantError> {
        let access = self.access.of(tenant.id.as_str());
        access.write_now("insert_tenant", |database| insert(database, tenant).scoped()).await?
    }

    async fn update_tenant(&self, tenant: &Tenant) -> Result<(), InsertTenantError> {
        let access = self.access.of(tenant.id.as_str());
        access.write_now("update_tenant", |database| update(database, tenant).scoped()).await?
    }

    async fn may_remove_tenants(&self) -> StoreResult<bool> {
        self.access.read("may_remove_tenants", |database| remove_tenant::is_allowed(database).scoped()).await
    }

    async fn count_tenant_rows(&self, tenant: &TenantId, table: &'static Table) -> StoreResult<u64> {
        let (id, access) = (tenant.as_str(), self.access.of(tenant.as_str()));
        access.read("count_tenant_rows", |database| remove_tenant::count(database, id, table).scoped()).await
    }

    async fn remove_tenant_rows(&self, tenant: &TenantId, limit: u32) -> StoreResult<bool> {
        let (id, access) = (tenant.as_str(), self.access.of(tenant.as_str()));
        access
            .write_now("remove_tenant_rows", |database| remove_tenant::remove(database, id, limit).scoped())
            .await
    }
}

type Written = Result<(), InsertTenantError>;

/// Keeps others from writing the list, which no constraint covers whole; readers and the writes of tenants go on.
const LOCK_LIST: &str = "LOCK TABLE tenants IN SHARE ROW EXCLUSIVE MODE";

/// A new base URL is one of a unique key: no write may refer to its row then, and where one always does, the row would be
/// waited for in vain. So writes that begin now wait for a moment behind it.
const LOCK_LIST_AND_KEYS: &str = "LOCK TABLE tenants IN EXCLUSIVE MODE";

/// The sum of a hash of each row, which the server makes: the rows do not come here.
async fn version(database: &Connection) -> Outcome<TenantsVersion> {
    let select =
        "SELECT coalesce(sum(hashtextextended(concat_ws('|', id, slug, environment, base_url, name, locale,
                      settings, created_at), 0)), 0)::TEXT
                  FROM tenants";
    let (version,) = database.only("tenants", select, &[]).await?;
    Ok(TenantsVersion(version))
}

async fn all(database: &Connection) -> Outcome<Vec<Tenant>> {
    database.all(select!(Tenant, "ORDER BY slug, environment"), &[]).await
}

async fn insert(database: &Transaction, tenant: &Tenant) -> Outcome<Written> {
    let Tenant { id, slug, environment, base_url, name, locale, settings, created_at } = tenant;
    database.batch(LOCK_LIST).await?;
    if has_name(database, slug, *environment).await? {
        return Ok(Err(InsertTenantError::NameTaken));
    }
    if is_taken(database, base_url, id).await? {
        return Ok(Err(InsertTenantError::BaseUrlTaken));
    }
    let (environment, created_at) = (*environment, *created_at);
    let row = NewTenant { slug, environment, base_url, name, locale, settings, created_at };
    let insert = statement!(Statement::insert::<NewTenant<'_>>(Dialect::Postgres, OnConflict::Fail));
    database.write(insert, id.as_str(), &[row]).await?;
    insert_threshold(database, id.as_str(), settings).await?;
    Ok(Ok(()))
}

async fn update(database: &Transaction, tenant: &Tenant) -> Outcome<Written> {
    let Tenant { id, slug: _, environment: _, base_url, name, locale, settings, created_at: _ } = tenant;
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

/// Whether requests to this base URL reach a tenant other than `own`. The constraint on `base_url`
/// sees the scheme, which requests are not told apart by, so all of the few tenants are looked at.
async fn is_taken(database: &Transaction, base_url: &BaseUrl, own: &TenantId) -> Outcome<bool> {
    let others = "SELECT id, base_url FROM tenants WHERE id <> $1 ORDER BY id";
    let others: Vec<(ColumnAt, BaseUrl)> = database.all_of(("tenants", 1), others, &[&own.as_str()]).await?;
    Ok(others.iter().any(|(_, other)| other.shares_address(base_url)))
}
