//! The audit log: each change by a back office, an operator or a job leaves an entry in the commit of the change.
//!
//! The functions of [`Facts`](pointbook_store::commands::Facts) that change rows note the change. The command's author turns the
//! notes into entries, and a store gives them their positions and hashes when it saves them (`pointbook_store::audit_log`).

pub(crate) mod api;
pub mod brief;
pub(crate) mod console;
pub(crate) mod job;
pub mod query;
mod read;
mod seal;
mod verify;
pub mod view;

pub use self::read::{AuditLogFilter, NewestEntries, audit_chain, audit_entries, newest_audit_entries};
pub use self::seal::{SealAuditLog, SealedAuditLog, seal_audit_log};
pub use self::verify::{AuditLogReport, verify_audit_log};
