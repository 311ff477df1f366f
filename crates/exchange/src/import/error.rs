//! Why an import was refused or ended.

use std::io;
use std::path::PathBuf;

use pointbook_store::StoreError;

use super::{Problems, Rule};

#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The options are not valid for this kind. Nothing was imported.
    #[error("{0}")]
    Usage(String),
    /// The input as a whole is not valid for this kind. Nothing was imported.
    #[error("{0}")]
    Input(Rule),
    /// The header of a CSV input is invalid. Nothing was imported.
    #[error("the header line: {0}")]
    Header(Problems),
    /// The category tree is invalid. The stored tree is unchanged.
    #[error("{0}")]
    Content(Problems),
    /// The input cannot be read. Nothing was imported.
    #[error("the input cannot be read")]
    Unreadable(#[source] io::Error),
    /// The reject file cannot be written. Rows from earlier commits are stored.
    #[error("cannot write {}", path.display())]
    Rejects {
        path: PathBuf,
        #[source]
        error: io::Error,
    },
    /// The database failed. Nothing was imported.
    #[error(transparent)]
    Store(StoreError),
}
