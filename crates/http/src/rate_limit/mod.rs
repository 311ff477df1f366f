//! The rate limits of customers: the requests of each user in the current minute, and whether the tenant allows one more.

pub mod count;
pub mod counts;
