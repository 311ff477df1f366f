//! The options of an import.

use std::path::PathBuf;
use std::pin::Pin;

use super::progress::ProgressMode;
use super::watch::Watch;

/// What an import does with good rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Store,
    /// It checks all rows as the import does, and stores nothing. Only for products and activities.
    Try,
}

impl Effect {
    pub fn of_dry_run(is_dry: bool) -> Self {
        if is_dry { Self::Try } else { Self::Store }
    }
}

pub struct Options {
    /// Whether to retire the products that are not in the input.
    pub replace: bool,
    /// Whether an empty category tree is allowed. It removes all stored categories.
    pub may_be_empty: bool,
    /// Whether campaigns add bonuses to activities without `bonus_breakdown`.
    pub apply_rules: bool,
    pub effect: Effect,
    /// The path of the reject file; `None` writes no file.
    pub rejects: Option<PathBuf>,
    /// Follows the import.
    pub watch: Option<Box<dyn Watch>>,
    pub progress: ProgressMode,
    /// When this future is ready, the import ends between two commits.
    pub stop: Stop,
}

/// A future that is ready when the import must end. It is not polled again after that.
pub type Stop = Pin<Box<dyn Future<Output = ()> + Send>>;

impl Default for Options {
    /// Retires nothing, asks no campaign, writes no reject file, shows no progress and never stops.
    fn default() -> Self {
        Self {
            replace: false,
            may_be_empty: false,
            apply_rules: false,
            effect: Effect::Store,
            rejects: None,
            watch: None,
            progress: ProgressMode::Silent,
            stop: Box::pin(std::future::pending()),
        }
    }
}
