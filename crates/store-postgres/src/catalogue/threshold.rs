//! At how many pieces stock is low. It stands beside the catalogue's version, so that an order compares
//! with what holds in its own transaction, whatever its process knows of the tenant.

use pointbook_domain::TenantSettings;

use super::version::NextVersion;
use crate::connection::Transaction;
use crate::error::Outcome;

/// Begins the catalogue of a new tenant, at version 0.
pub(crate) async fn insert(database: &Transaction, tenant: &str, settings: &TenantSettings) -> Outcome<()> {
    let insert =
        "INSERT INTO catalogue_versions (tenant_id, version, low_stock_threshold) VALUES ($1, 0, $2)";
    database.execute(insert, &[&tenant, &i64::from(settings.low_stock_threshold)]).await?;
    Ok(())
}

/// Keeps the threshold of a tenant that was changed. With another one, all limited products are stamped:
/// orders told of those that crossed the old one, and snapshots may hold any number on the same side of it.
/// An order that decided by the old one finds its product stamped, and decides again.
pub(crate) async fn update(database: &Transaction, tenant: &str, settings: &TenantSettings) -> Outcome<()> {
    let update = "UPDATE catalogue_versions SET low_stock_threshold = $2
                  WHERE tenant_id = $1 AND low_stock_threshold <> $2";
    if database.execute(update, &[&tenant, &i64::from(settings.low_stock_threshold)]).await? == 0 {
        return Ok(());
    }
    let version = NextVersion::take(database, tenant).await?;
    let stamp = "UPDATE products SET version = $2
                 WHERE tenant_id = $1 AND stock IS NOT NULL AND retired_at IS NULL";
    database.execute(stamp, &[&tenant, &version.stamp()]).await?;
    version.raise(database, tenant).await
}
