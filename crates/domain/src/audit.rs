//! The audit: what the ledger says a user has, against what the service remembers.
//!
//! A store sends [`AuditFact`]s in order, the [`Auditor`] recomputes one user after another, and
//! every [`Difference`] is named. Nothing stored is believed, so the facts are raw: what cannot be
//! read is a difference too, and the audit goes on.

mod auditor;
mod chain_check;
mod fact;
mod order_checks;

pub use auditor::{AuditedUser, Auditor, Difference, Link, UserTotals};
pub use fact::{AuditFact, RowContent, StoredRow, StoredUser, UnreadableRow};
