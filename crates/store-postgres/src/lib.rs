//! The ports over PostgreSQL, for a service of several instances.
//!
//! Every write is one transaction, which is replayed as a whole when another one stood in its way;
//! every statement carries its tenant, and is prepared once per connection unless a pooler stands in
//! between. Connected as the role that `migrate` sets up for the service, the database itself holds every
//! transaction to one tenant, and the ledger to growing.

mod access;
mod catalogue;
mod citus;
mod commands;
mod connection;
mod error;
mod identity;
mod jobs;
mod ledger;
mod migrate;
mod once;
mod orders;
mod permits;
mod pipeline;
mod pool;
mod retry;
mod row;
mod rows;
mod scoped;
mod secrets;
mod service_role;
mod store;
mod tenants;
mod tls;
mod tokens;
mod url;
mod users;
mod value;

pub use error::{ConnectError, lacks_right};
pub use pool::PostgresOptions;
pub use store::PostgresStore;
pub use url::PostgresUrl;
