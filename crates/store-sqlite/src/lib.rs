//! The ports over SQLite: one file, embedded in the process.
//!
//! Short reads run on the calling thread, on a connection of that thread; long reads run on the
//! blocking pool; all writes run on one thread, which lets them share commits (docs/adr/0001).

mod access;
mod backup;
mod catalogue;
mod commands;
mod connection;
mod error;
mod jobs;
mod ledger;
mod migrate;
mod once;
mod options;
mod orders;
mod remove_tenant;
mod retry;
mod row;
mod rows;
mod secrets;
mod store;
mod tenants;
#[cfg(test)]
mod tests;
mod tokens;
mod users;
mod writer;

pub use backup::back_up;
pub use error::OpenError;
pub use options::SqliteOptions;
pub use store::SqliteStore;
