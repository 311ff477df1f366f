//! The black-box suite on a PostgreSQL server.
#![expect(clippy::unwrap_used, reason = "in a test, what cannot happen ends the test")]

mod client;
mod contract;
mod harness;
mod suite;
