//! Tests that the audit reports exactly the changes that were made to the file without the service.
#![expect(clippy::unwrap_used, reason = "what cannot happen ends a test")]

mod history;
mod orders;
mod rows;
mod stock;
mod unreadable;
mod users;
mod victim;
