//! Rows in, rows out: the tables, the commands that write them, the ports that read them, and the two databases behind the ports.
//!
//! A store loads the rows that a command needs, and saves the rows that the command changed. It decides nothing, and it knows no
//! slice. [`service::Service`] is what one process has: a database, a clock, the tenants, and their state in memory.

pub mod audit_log;
pub mod background;
pub mod chain;
pub mod clean_request_keys;
pub mod commands;
pub mod content_key;
pub mod context;
pub mod copy;
pub mod data_key;
pub mod database_health;
pub mod directory;
pub mod feed;
pub mod job;
pub mod keyring;
pub mod limits;
pub mod measure;
pub(crate) mod migrations;
pub(crate) mod parts;
pub mod ports;
pub mod postgres;
pub mod processor;
pub mod queue;
pub mod schema;
pub(crate) mod service;
pub mod sources;
pub mod sqlite;
pub(crate) mod tenant_clock;
pub mod tenant_secret;
pub(crate) mod tenant_state;
pub mod tenants;

pub use audit_log::{Actor, Author, Origin};
pub use context::Context;
pub use directory::{Directory, ServedTenant};
pub use job::{Job, JobError, Next, Schedule};
pub use migrations::first_schema;
pub use parts::Parts;
pub use ports::{StoreError, StoreResult};
pub use service::{Service, ServiceLimits};
pub use sources::{Clock, IdSource, SecretSource};
pub use tenant_state::TenantState;
