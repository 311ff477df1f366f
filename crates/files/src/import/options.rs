//! What the caller of an import chooses.

use std::path::PathBuf;
use std::pin::Pin;

use super::progress::ProgressMode;

pub struct Options {
    /// Whether products that the input lacks are retired.
    pub replace: bool,
    /// Whether a category tree without categories is taken, which removes the stored ones.
    pub may_be_empty: bool,
    /// Where rejected rows are written; none for nowhere.
    pub rejects: Option<PathBuf>,
    pub progress: ProgressMode,
    /// Ends the import between two commits when it is done.
    pub stop: Stop,
}

/// Done when the import shall end; not asked again then.
pub type Stop = Pin<Box<dyn Future<Output = ()> + Send>>;

impl Default for Options {
    /// Nothing is retired, written or shown, and nothing stops it.
    fn default() -> Self {
        let stop = Box::pin(std::future::pending());
        Self { replace: false, may_be_empty: false, rejects: None, progress: ProgressMode::Silent, stop }
    }
}
