//! The low-stock threshold. It is stored with the catalogue's version, so that an order reads it in its own transaction
//! and not from the memory of its process.

use pointbook_domain::TenantSettings;
use rusqlite::{Transaction, params};

use super::version::NextVersion;
use crate::sqlite::error::Outcome;

/// Creates the catalogue of a new tenant, with version 0.
pub(crate) fn insert(database: &Transaction<'_>, tenant: &str, settings: &TenantSettings) -> Outcome<()> {
    database.execute(
        "INSERT INTO catalogue_versions (tenant_id, version, low_stock_threshold) VALUES (?1, 0, ?2)",
        params![tenant, settings.low_stock_threshold],
    )?;
    Ok(())
}

/// Stores the threshold of a changed tenant. A new threshold gives all products with limited stock a new version. Orders
/// reported only products that crossed the old threshold, so the stock in snapshots may be outdated.
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
