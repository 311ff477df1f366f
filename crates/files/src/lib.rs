//! Files with the data of a tenant: what imports take and exports write, as CSV and JSON Lines.

pub mod export;
pub mod import;
pub mod private_file;
