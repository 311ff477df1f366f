//! What operators and jobs do with a tenant: its creation, its settings, its clock, its operators, audits, retention, its removal.
//!
//! No request of an app comes here. The functions use the ports and the commands of `app`.

mod audit_ledger;
pub mod audit_log;
mod audit_stock;
mod clean_operator_sessions;
mod clean_tokens;
mod operators;
mod watch_tokens;

pub use audit_ledger::{AuditReport, audit_ledger};
pub use audit_log::{
    AuditLogFilter, AuditLogReport, SealedAuditLog, audit_chain, audit_entries, newest_audit_entries,
    seal_audit_log, verify_audit_log,
};
pub use audit_stock::{StockDifference, StockFault, StockReport, audit_stock};
pub use clean_operator_sessions::clean_operator_sessions;
pub use clean_tokens::{CleanedTokens, ENDED_TOKEN_DAYS, clean_tokens};
pub use operators::{
    AddOperator, MAX_OPERATORS, OperatorRefusal, RemoveOperator, SetOperatorRole, add_operator,
    list_operators,
};
pub use watch_tokens::TokenWatch;
