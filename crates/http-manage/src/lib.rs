//! The operations of the back office, at `/v1/manage`: one folder per resource, one file per verb, and a table of operations
//! in each folder.

pub mod activities;
pub mod audit_log;
pub mod campaigns;
pub mod categories;
pub mod clock;
pub mod events;
pub mod keys;
pub mod orders;
pub mod pictures;
mod precondition;
pub mod products;
pub mod reports;
mod taken_lines;
pub mod users;
pub mod webhooks;
