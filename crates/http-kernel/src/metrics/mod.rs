//! What is counted and measured, and how it is called.

mod install;
mod requests;

pub use install::{MetricsHandle, install_metrics};
pub(crate) use requests::RequestMetrics;
