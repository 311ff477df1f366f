//! Implements the ports on SQLite: one file, embedded in the process.
//!
//! Short reads run on the calling thread, with one connection per thread. Long reads run on the blocking pool.
//! All writes run on one thread, so that they can share commits (docs/adr/0001).

mod access;
mod audit_log;
mod backup;
mod commands;
mod connection;
mod error;
mod feed;
mod feed_blocks;
mod jobs;
mod ledger;
mod migrate;
mod once;
mod options;
mod retry;
mod row;
mod rows;
mod store;
mod tenants;
mod writer;

pub use backup::{back_up, empty_log};
pub use error::OpenError;
pub use options::SqliteOptions;
pub use store::SqliteStore;
