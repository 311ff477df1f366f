//! The audit of pictures. Only a store with tables can have wrong rows.

pub use super::pictures::the_audit_finds_other_bytes;
