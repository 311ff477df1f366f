//! Adding a tenant.

use pointbook_domain::{BaseUrl, ClockOffset, Locale, Tenant, TenantName, TenantSettings};

use crate::audit_log::{Actor, Author, ChangeNote, Origin, tenant_fields};
use crate::ports::InsertTenantError;
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
