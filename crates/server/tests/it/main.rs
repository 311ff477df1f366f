//! The black-box suite on SQLite: requests over a real socket to the real router with a real database.
#![expect(clippy::unwrap_used, reason = "an error fails the test")]

mod client;
mod contract;
mod harness;
mod sqlite_only;
mod sqlite_overload;
mod suite;
