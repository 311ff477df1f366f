//! Why a tenant was not copied.

use crate::ports::StoreError;
use crate::schema::Table;

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
        column: &'static str,
    },
    /// What the target had not recorded when its ledger was compared was there when rows were to be written.
    #[error(
        "another program writes to the target during the copy (table {table}): end that, and audit the target"
    )]
    TargetInUse { table: &'static str },
    #[error("the source cannot be read")]
    Source(#[source] StoreError),
    #[error("the target cannot be used")]
    Target(#[source] StoreError),
}

impl CopyError {
    pub(crate) fn in_use(table: &Table) -> Self {
        Self::TargetInUse { table: table.name }
    }
}
