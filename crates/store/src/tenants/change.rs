//! Changing a tenant: its name, base URL, locale or settings.

use pointbook_domain::Tenant;

use crate::audit_log::{Actor, Author, ChangeNote, Origin, tenant_fields};
use crate::ports::InsertTenantError;
use crate::service::Service;

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
