//! The version of a catalogue. Every write that changes the catalogue raises it by one.

use rusqlite::{Connection, OptionalExtension, Transaction, params};

use crate::ports::CatalogueVersion;
use crate::sqlite::error::Outcome;
use crate::sqlite::row;
use crate::sqlite::row::missing;

pub(crate) fn read(database: &Connection, tenant: &str) -> Outcome<CatalogueVersion> {
    let select = "SELECT version FROM catalogue_versions WHERE tenant_id = ?1";
    let version: Option<(u64,)> = row::one_of(("catalogue_versions", 0), database, select, [tenant])?;
    let (version,) = version.ok_or_else(|| missing("catalogue_versions", tenant))?;
    Ok(CatalogueVersion(version))
}

/// The next version of a catalogue. A write gives it to the rows that it changes and to the catalogue.
pub(crate) struct NextVersion(u64);

impl NextVersion {
    /// The version after the stored one. The caller holds the write lock, so no other write takes the same version.
    pub(crate) fn take(database: &Transaction<'_>, tenant: &str) -> Outcome<Self> {
        Ok(Self(read(database, tenant)?.0 + 1))
    }

    /// The version as a stored number.
    pub(crate) fn stamp(&self) -> i64 {
        self.0.cast_signed()
    }

    /// Raises the catalogue to this version.
    pub(crate) fn raise(self, database: &Transaction<'_>, tenant: &str) -> Outcome<()> {
        let raise = "UPDATE catalogue_versions SET version = ?2 WHERE tenant_id = ?1 AND version = ?2 - 1
                     RETURNING version";
        let raised = database.query_row(raise, params![tenant, self.stamp()], |_| Ok(())).optional()?;
        raised.ok_or_else(|| missing("catalogue_versions", tenant))
    }
}
