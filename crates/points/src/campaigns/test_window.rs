//! The time whose activities a back-test counts.

use std::fmt;

use pointbook_domain::Timestamp;

/// The days of a longer back-test would be a large result.
const MAX_YEARS: i64 = 40;
const MICROS_PER_YEAR: i64 = 366 * 86_400_000_000;

/// Why a back-test cannot end at its `until`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WindowFault {
    NotAfterFrom,
    TooLong,
}

impl fmt::Display for WindowFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAfterFrom => f.write_str("must be after from"),
            Self::TooLong => write!(f, "must be at most {MAX_YEARS} years after from"),
        }
    }
}

/// Whether a back-test may count the activities from `from` on and before `until`.
///
/// # Errors
/// [`WindowFault`]: the rule that `until` breaks.
pub fn check_window(from: Timestamp, until: Timestamp) -> Result<(), WindowFault> {
    match until.as_micros() - from.as_micros() {
        ..=0 => Err(WindowFault::NotAfterFrom),
        micros if micros > MAX_YEARS * MICROS_PER_YEAR => Err(WindowFault::TooLong),
        _ => Ok(()),
    }
}
