//! Tests of the store on PostgreSQL through its public interface. Without a PostgreSQL server they are skipped.
#![expect(clippy::unwrap_used, reason = "what cannot happen ends a test")]

mod citus;
mod conformance;
mod expand;
mod identity;
mod migrate;
mod role;
mod schema;
mod service_role;
mod tls;
mod waiting;
