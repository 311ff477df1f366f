//! Why a tenant was not copied.

use crate::StoreError;
use crate::tables::Table;

/// What kept a copy from its end.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The target has another tenant of this slug and environment.
    #[error("the target has another tenant of this name")]
    NameTaken,
    /// Another tenant of the target answers at the base URL.
    #[error("in the target, {0} has the base URL of this tenant")]
    BaseUrlTaken(String),
    /// The target recorded what the source did not.
    #[error("the target's ledger went on by itself, nothing was copied: {0} is not in the source")]
    LedgerWentOn(String),
    /// Both recorded something else under one key.
    #[error("the ledgers differ, nothing was copied: {row}, column {column}")]
    LedgersDiffer {
        /// The row, by table and key.
        row: String,
        /// The first column that differs.
        column: &'static str,
    },
    /// What the target had not recorded when its ledger was compared was there when rows were to be written.
    #[error(
        "another program writes to the target during the copy (table {table}): end that, and audit the target"
    )]
    TargetInUse {
        /// Where it was seen.
        table: &'static str,
    },
    /// The database that is copied from failed.
    #[error("the source cannot be read")]
    Source(#[source] StoreError),
    /// The database that is copied into failed.
    #[error("the target cannot be used")]
    Target(#[source] StoreError),
}

impl CopyError {
    pub(super) fn in_use(table: &Table) -> Self {
        Self::TargetInUse { table: table.name }
    }
}
