//! Why an export ends early.

use std::io;

use pointbook_app::StoreError;

/// Why an export ended early; what was written is not whole.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The kind is not written in this format; nothing was written.
    #[error("{0}")]
    Usage(String),
    /// The output could not be written.
    #[error("the output cannot be written")]
    Output(#[from] io::Error),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
