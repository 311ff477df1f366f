//! The ports over SQLite: one file, embedded in the process.
//!
//! Short reads run on the calling thread, on a connection of that thread; long reads and all writes
//! run on the blocking pool, writes one after another on one connection (docs/adr/0001).

mod access;
mod catalogue;
mod connection;
mod error;
mod ledger;
mod migrate;
mod retry;
mod row;
mod store;
mod tenants;
mod tokens;
mod users;
mod writer;

pub use connection::SqliteOptions;
pub use error::OpenError;
pub use store::SqliteStore;
