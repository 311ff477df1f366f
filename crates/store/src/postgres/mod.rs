//! Implements the ports on PostgreSQL, for a service of one or several instances.
//!
//! Every write is one transaction, which is retried as a whole when it conflicts with another one. Every statement has the
//! tenant's id. A connection prepares each statement once, unless the URL turns that off for a pooler. With the role that
//! `migrate` sets up for the service, the database limits every transaction to one tenant and keeps the ledger append-only.

mod access;
mod audit_log;
mod citus;
mod commands;
mod connection;
mod due_job;
mod error;
mod feed;
mod identity;
mod ledger;
mod migrate;
mod permits;
mod pipeline;
mod pool;
mod raw_rows;
mod retry;
mod row;
mod rows;
mod scoped;
mod service_role;
mod store;
mod tenants;
mod tls;
mod url;
mod value;

pub use error::{ConnectError, lacks_right};
pub use pool::PostgresOptions;
pub use store::PostgresStore;
pub use url::PostgresUrl;
