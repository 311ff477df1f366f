//! Tests that the audit reports exactly the changes that were made to the file without the service.

mod history;
mod lots;
mod orders;
mod rows;
mod stock;
mod unreadable;
mod users;
mod victim;
