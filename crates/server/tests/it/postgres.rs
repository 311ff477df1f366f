//! The black-box suite on a PostgreSQL server.
#![expect(clippy::unwrap_used, reason = "an error fails the test")]

mod client;
mod contract;
mod harness;
mod suite;
