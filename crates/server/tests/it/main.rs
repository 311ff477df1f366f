//! The black-box suite on a file of SQLite: the real router on a real database, asked over a real socket.
#![expect(clippy::unwrap_used, reason = "in a test, what cannot happen ends the test")]

mod client;
mod contract;
mod harness;
mod sqlite_only;
mod sqlite_overload;
mod suite;
