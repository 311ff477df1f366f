//! Who waits for whom, and what becomes of work that was overtaken by another transaction.
#![expect(clippy::unwrap_used, reason = "what cannot happen ends a test")]

mod audit;
mod catalogue;
mod fixture;
mod groups;
mod keys;
mod lanes;
mod orders;
mod tenants;
mod users;
