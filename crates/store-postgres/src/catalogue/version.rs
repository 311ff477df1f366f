//! The version of a catalogue: raised once by every write that changes something.

use pointbook_app::ports::CatalogueVersion;

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
