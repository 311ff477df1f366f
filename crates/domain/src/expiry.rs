//! Points that end: when they do, and what a member has of each day of ending.
//!
//! Points that end on the same day are one lot. A lot has its last day as its name: on that day its points can still be spent, in the time
//! zone of the tenant.

mod lots;
mod policy;

use crate::{Day, Timestamp};

pub use lots::{Lots, Move};
pub use policy::{ExpiryPolicy, Length, PolicyError, Rounding};

/// The last day that there is. Points that end on it never end.
pub fn never() -> Day {
    Timestamp::MAX.day()
}
