//! The audit finds what was changed behind the service's back, and says no more than that.
#![expect(clippy::unwrap_used, reason = "what cannot happen ends a test")]

mod history;
mod orders;
mod rows;
mod stock;
mod unreadable;
mod users;
mod victim;
