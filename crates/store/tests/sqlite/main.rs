//! Tests of the store on SQLite through its public interface.
#![expect(clippy::unwrap_used, reason = "what cannot happen ends a test")]

mod conformance;
mod data_keys;
mod files;
mod foreign_keys;
mod lanes;
mod lists;
mod orders;
mod popular;
mod readers;
mod recording;
mod schema;
mod shared_commits;
mod tables;
mod tampering;
mod tenants;
mod tending;
mod write_costs;
