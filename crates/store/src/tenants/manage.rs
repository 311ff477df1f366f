//! Adding, changing and removing a tenant.

use pointbook_domain::{BaseUrl, ClockOffset, Locale, Tenant, TenantName, TenantSettings};

use crate::audit_log::{Actor, Author, ChangeNote, Origin, tenant_fields};
use crate::directory::ServedTenant;
use crate::ports::{Database, InsertTenantError, StoreError, StoreResult};
use crate::schema::TABLES;
use crate::service::Service;
use crate::sources::IdSource;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTenant {
    pub name: TenantName,
    /// The base URL of its clients.
    pub base_url: BaseUrl,
    /// Name for people.
    pub title: String,
    pub locale: Locale,
    /// The fields that have defaults.
    pub settings: TenantSettings,
}

/// Adds a tenant. Requests find it at once.
///
/// # Errors
/// [`InsertTenantError`] when its name or base URL is taken, or the store fails.
pub async fn add_tenant(
    service: &Service,
    new: NewTenant,
    origin: Origin,
    ids: &dyn IdSource,
) -> Result<Tenant, InsertTenantError> {
    let NewTenant { name, base_url, title, locale, settings } = new;
    let tenant = Tenant {
        id: ids.tenant_id(),
        slug: name.slug,
        environment: name.environment,
        base_url,
        name: title,
        locale,
        settings,
        created_at: service.clock.now(),
        clock: ClockOffset::NONE,
    };
    let author = Author { actor: Actor::CommandLine, origin, at: tenant.created_at };
    let note = ChangeNote::new("tenant.add", "tenant", None, Some(tenant_fields(&tenant)));
    service.database.insert_tenant(&tenant, &[note.into_entry(&author)]).await?;
    service.take_in_tenants().await;
    Ok(tenant)
}

/// Replaces what is stored of the tenant with this id; requests find the change at once.
///
/// # Errors
/// [`InsertTenantError`] when another tenant has the base URL, or the store fails.
pub async fn change_tenant(
    service: &Service,
    tenant: &Tenant,
    (actor, origin): (Actor, Origin),
) -> Result<(), InsertTenantError> {
    let author = Author { actor, origin, at: service.clock.now() };
    let directory = service.directory();
    let before = directory.tenants().iter().find(|served| served.tenant.id == tenant.id);
    let before = before.map(|served| tenant_fields(&served.tenant));
    let note = ChangeNote::new("tenant.change", "tenant", before, Some(tenant_fields(tenant)));
    service.database.update_tenant(tenant, &[note.into_entry(&author)]).await?;
    service.take_in_tenants().await;
    Ok(())
}

/// How many rows one transaction removes, so that the writes of other tenants wait only briefly.
const ROWS_PER_WRITE: u32 = 2_000;

/// How many rows the tenant has in each table with rows of tenants, in the order of [`TABLES`].
pub async fn count_rows(database: &dyn Database, tenant: &Tenant) -> StoreResult<Vec<(&'static str, u64)>> {
    let mut counts = Vec::with_capacity(TABLES.len());
    for table in &TABLES {
        counts.push((table.name, database.count_tenant_rows(&tenant.id, table).await?));
    }
    Ok(counts)
}

/// Gives the tenant a base URL that no request has. Servers stop serving it when they next read the tenants, within a second.
///
/// # Errors
/// [`InsertTenantError`] when the store fails.
pub async fn stop_serving(service: &Service, served: &ServedTenant) -> Result<(), InsertTenantError> {
    let url = format!("https://removed.invalid/{}/api", served.tenant.id.as_str());
    let base_url = BaseUrl::parse(&url).map_err(|rule| StoreError::Corrupt(format!("{url}: {rule}")))?;
    service.database.update_tenant(&Tenant { base_url, ..served.tenant.clone() }, &[]).await?;
    service.take_in_tenants().await;
    Ok(())
}

/// Removes every row of a tenant in transactions of bounded size, and the tenant in the last one. After an interruption, the
/// rest is consistent, and another call goes on.
///
/// # Errors
/// When the store fails. Removed rows stay removed.
pub async fn remove_tenant(service: &Service, served: &ServedTenant) -> StoreResult<()> {
    while !service.database.remove_tenant_rows(&served.tenant.id, ROWS_PER_WRITE).await? {}
    service.take_in_tenants().await;
    Ok(())
}
