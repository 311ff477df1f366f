//! Imports and exports of a tenant's data, as CSV, JSON Lines and JSON files.

pub mod export;
pub mod import;
pub mod private_file;
