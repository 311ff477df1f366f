//! The audit compares the ledger with everything that the service stores about it.
//!
//! A store sends [`AuditFact`]s in order. The [`Auditor`] recomputes one user after another, and names every [`Difference`]. It
//! trusts no stored value, so the facts are raw: an unreadable value is a difference too, and the audit goes on.

mod auditor;
mod award_checks;
mod chain_check;
mod fact;
mod lot_checks;
mod order_checks;

pub use auditor::{AuditedUser, Auditor, Difference, Link, UserTotals};
pub use fact::{AuditFact, RowContent, StoredLots, StoredRow, StoredUser, UnreadableRow};
