//! The version of a catalogue and the low-stock threshold. Every write that changes the catalogue raises the version by one.
//! The threshold is stored with it, so that an order reads it in its own transaction and not from the memory of its process.

use pointbook_domain::TenantSettings;

use crate::ports::CatalogueVersion;
use crate::postgres::connection::{Connection, Transaction};
use crate::postgres::error::Outcome;
use crate::postgres::row::missing;

pub(super) async fn read(database: &Connection, tenant: &str) -> Outcome<CatalogueVersion> {
    let select = "SELECT version FROM catalogue_versions WHERE tenant_id = $1";
    stored(database, tenant, select).await
}

/// The next version of a catalogue. A write gives it to the rows that it changes and to the catalogue.
pub(crate) struct NextVersion(u64);

impl NextVersion {
    /// Returns the version after the stored one, and locks its row until the end of the transaction. So versions are
    /// committed in order, and a reader of a version sees all rows up to it. Take the version before locking products:
    /// every write uses this order.
    pub(crate) async fn take(database: &Transaction, tenant: &str) -> Outcome<Self> {
        let select = "SELECT version FROM catalogue_versions WHERE tenant_id = $1 FOR UPDATE";
        Ok(Self(stored(database, tenant, select).await?.0 + 1))
    }

    /// The version as a stored number.
    pub(crate) fn stamp(&self) -> i64 {
        self.0.cast_signed()
    }

    /// Raises the catalogue to this version.
    pub(crate) async fn raise(self, database: &Transaction, tenant: &str) -> Outcome<()> {
        let raise = "UPDATE catalogue_versions SET version = $2 WHERE tenant_id = $1 AND version + 1 = $2";
        match database.execute(raise, &[&tenant, &self.stamp()]).await? {
            1 => Ok(()),
            _ => Err(missing("catalogue_versions", tenant)),
        }
    }
}

async fn stored(database: &Connection, tenant: &str, select: &'static str) -> Outcome<CatalogueVersion> {
    let version: Option<(u64,)> = database.one_of(("catalogue_versions", 0), select, &[&tenant]).await?;
    let (version,) = version.ok_or_else(|| missing("catalogue_versions", tenant))?;
    Ok(CatalogueVersion(version))
}

/// Creates the catalogue of a new tenant, with version 0.
pub(crate) async fn insert_threshold(
    database: &Transaction,
    tenant: &str,
    settings: &TenantSettings,
) -> Outcome<()> {
    let insert =
        "INSERT INTO catalogue_versions (tenant_id, version, low_stock_threshold) VALUES ($1, 0, $2)";
    database.execute(insert, &[&tenant, &i64::from(settings.low_stock_threshold)]).await?;
    Ok(())
}

/// Stores the threshold of a changed tenant. A new threshold gives all products with limited stock a new version. Orders
/// reported only products that crossed the old threshold, so the stock in snapshots may be outdated. An order that decided
/// with the old threshold finds the new version of its product and is decided again.
pub(crate) async fn update_threshold(
    database: &Transaction,
    tenant: &str,
    settings: &TenantSettings,
) -> Outcome<()> {
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
