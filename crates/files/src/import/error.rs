//! Why nothing, or no more, was imported.

use std::io;
use std::path::PathBuf;

use pointbook_app::StoreError;

use super::problems::Problems;

#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The input or the options do not fit what was asked; nothing was imported.
    #[error("{0}")]
    Usage(String),
    /// The category tree is wrong; the stored one is as it was.
    #[error("{0}")]
    Content(Problems),
    /// The input cannot be read; nothing was imported.
    #[error("the input cannot be read")]
    Unreadable(#[source] io::Error),
    /// The reject file cannot be written. Rows before that are stored.
    #[error("cannot write {}", path.display())]
    Rejects {
        path: PathBuf,
        #[source]
        error: io::Error,
    },
    /// The database failed and nothing was imported.
    #[error(transparent)]
    Store(StoreError),
}
