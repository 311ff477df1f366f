//! At how many pieces stock is low. It stands beside the catalogue's version, so that an order compares
//! with what holds in its own transaction, and not with what its process knows of the tenant.

use pointbook_domain::TenantSettings;
use rusqlite::{Transaction, params};

use super::version::NextVersion;
use crate::error::Outcome;

/// Begins the catalogue of a new tenant, at version 0.
pub(crate) fn insert(database: &Transaction<'_>, tenant: &str, settings: &TenantSettings) -> Outcome<()> {
    database.execute(
        "INSERT INTO catalogue_versions (tenant_id, version, low_stock_threshold) VALUES (?1, 0, ?2)",
        params![tenant, settings.low_stock_threshold],
    )?;
    Ok(())
}

/// Keeps the threshold of a tenant that was changed. With another one, all limited products are stamped:
/// orders told of those that crossed the old one, and snapshots may hold any number on the same side of it.
pub(crate) fn update(database: &Transaction<'_>, tenant: &str, settings: &TenantSettings) -> Outcome<()> {
    let changed = database.execute(
        "UPDATE catalogue_versions SET low_stock_threshold = ?2
         WHERE tenant_id = ?1 AND low_stock_threshold <> ?2",
        params![tenant, settings.low_stock_threshold],
    )?;
    if changed == 0 {
        return Ok(());
    }
    let version = NextVersion::take(database, tenant)?;
    database.execute(
        "UPDATE products SET version = ?2
         WHERE tenant_id = ?1 AND stock IS NOT NULL AND retired_at IS NULL",
        params![tenant, version.stamp()],
    )?;
    version.raise(database, tenant)
}
