//! The black-box suite: requests over a real socket to the real router with a real database. It runs on SQLite and starts
//! itself again on PostgreSQL.
#![expect(clippy::unwrap_used, reason = "an error fails the test")]

mod client;
mod contract;
mod harness;
mod on_postgres;
mod sqlite_only;
mod sqlite_overload;
mod suite;
