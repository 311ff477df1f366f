//! Imports and exports of a tenant's data, as CSV, JSON Lines and JSON files, and the definitions of campaigns in files.

pub mod campaigns;
pub mod export;
pub mod import;
pub mod private_file;
