//! What operators and jobs do with a tenant: its creation, its settings, its clock, its operators, audits, retention, its removal.
//!
//! No request of an app comes here. The functions use the ports and the commands of `app`.

mod add_tenant;
mod audit_ledger;
pub mod audit_log;
mod audit_stock;
mod change_tenant;
mod check_settings;
mod clean_operator_sessions;
mod clean_request_keys;
mod clean_tokens;
mod operators;
pub mod remove_tenant;
mod set_clock;
mod watch_tokens;

pub use add_tenant::{NewTenant, add_tenant};
pub use audit_ledger::{AuditReport, audit_ledger};
pub use audit_log::{
    AuditLogFilter, AuditLogReport, SealedAuditLog, audit_chain, audit_entries, newest_audit_entries,
    seal_audit_log, verify_audit_log,
};
pub use audit_stock::{StockDifference, StockFault, StockReport, audit_stock};
pub use change_tenant::change_tenant;
pub use check_settings::{check_settings, parse_tenant_name};
pub use clean_operator_sessions::clean_operator_sessions;
pub use clean_request_keys::{CleanedRequestKeys, clean_request_keys};
pub use clean_tokens::{CleanedTokens, ENDED_TOKEN_DAYS, clean_tokens};
pub use operators::{
    AddOperator, MAX_OPERATORS, OperatorRefusal, RemoveOperator, SetOperatorRole, add_operator,
    list_operators,
};
pub use set_clock::{ClockOutcome, ClockTarget, SetClock, set_clock};
pub use watch_tokens::TokenWatch;
