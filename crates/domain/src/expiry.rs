//! Points that end: when they do, and what a member has of each day of ending.
//!
//! Points that end on the same day are one lot. The last day identifies a lot: on that day its points can still be spent, in the time zone
//! of the tenant.

mod lots;
mod notice;
mod policy;

use crate::{Day, Timestamp};

pub use lots::{Lots, Move, Moves};
pub use notice::EndNotice;
pub use policy::{ExpiryPolicy, Length, Rounding};

/// The last day that there is. Points that end on it never end.
pub fn never() -> Day {
    Timestamp::MAX.day()
}

/// The first day that there is. It stands for the debt of a member whose balance is below 0.
pub fn owed() -> Day {
    Timestamp::MIN.day()
}
