//! The black-box suite on PostgreSQL, where transactions are serializable unless they ask for less.
#![expect(clippy::unwrap_used, reason = "an error fails the test")]

mod client;
mod contract;
mod harness;
mod suite;
