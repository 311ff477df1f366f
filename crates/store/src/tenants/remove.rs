//! Removes a tenant: its catalogue, its users, their points and their tokens.

use pointbook_domain::{BaseUrl, Tenant};

use crate::directory::ServedTenant;
use crate::ports::{Database, InsertTenantError, StoreError, StoreResult};
use crate::schema::TABLES;
use crate::service::Service;

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
