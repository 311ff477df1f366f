//! TODO: rate_limit.

pub mod count;
pub mod counts;
