//! Changing a tenant: its name, base URL, locale or settings.

use pointbook_domain::Tenant;

use crate::Service;
use crate::ports::InsertTenantError;

/// Replaces what is stored of the tenant with this id; requests find the change at once.
///
/// # Errors
/// [`InsertTenantError`] when another tenant has the base URL, or the store fails.
pub async fn change_tenant(service: &Service, tenant: &Tenant) -> Result<(), InsertTenantError> {
    service.database.update_tenant(tenant).await?;
    service.take_in_tenants().await;
    Ok(())
}
