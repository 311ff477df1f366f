//! The metrics of the program. A new metric is one row of [`METRICS`], the line that sets it, and one row of
//! `docs/operating/monitoring.md`.

mod declared;
mod store_timings;
mod writes;

pub use declared::{METRICS, Metric, describe};
pub use store_timings::{StoreTimer, StoreTimings};
pub use writes::{WriteCounters, WriteTally};
