//! The version of a catalogue: raised once by every write that changes something. Beside it stands at how many pieces
//! stock is low, so that an order compares with what holds in its own transaction, and not with what its
//! process knows of the tenant.

use pointbook_app::ports::CatalogueVersion;
use pointbook_domain::TenantSettings;

use crate::connection::{Connection, Transaction};
use crate::error::Outcome;
use crate::row::missing;

pub(super) async fn read(database: &Connection, tenant: &str) -> Outcome<CatalogueVersion> {
    let select = "SELECT version FROM catalogue_versions WHERE tenant_id = $1";
    stored(database, tenant, select).await
}

/// The version that a write stamps its rows with, and raises the catalogue to when it is done.
pub(crate) struct NextVersion(u64);

impl NextVersion {
    /// The version after the stored one, whose row is locked until the end of the transaction: versions
    /// are committed one after the other, so whoever reads one sees all rows up to it. To be taken before
    /// rows of products are locked, since every write takes both in this order.
    pub(crate) async fn take(database: &Transaction, tenant: &str) -> Outcome<Self> {
        let select = "SELECT version FROM catalogue_versions WHERE tenant_id = $1 FOR UPDATE";
        Ok(Self(stored(database, tenant, select).await?.0 + 1))
    }

    /// The stored version before it.
    pub(crate) fn stored(&self) -> CatalogueVersion {
        CatalogueVersion(self.0 - 1)
    }

    /// The stamp, as it is stored.
    pub(crate) fn stamp(&self) -> i64 {
        self.0.cast_signed()
    }

    /// Raises the catalogue to it.
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

/// Begins the catalogue of a new tenant, at version 0.
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

/// Keeps the threshold of a tenant that was changed. With another one, all limited products are stamped:
/// orders told of those that crossed the old one, and snapshots may hold any number on the same side of it.
/// An order that decided by the old one finds its product stamped, and decides again.
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
