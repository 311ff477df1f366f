//! Reads the audit log.

use pointbook_domain::{AuditChain, AuditEntry};
use pointbook_store::StoreResult;
use pointbook_store::ports::{TenantData, read_all, read_one};
use pointbook_store::schema::Query;

/// The entries of a list. `None` keeps all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditLogFilter {
    /// Such as `key:a0a1a2a3a4a5a6a7a8a9`.
    pub actor: Option<String>,
    /// Such as `product:mug`.
    pub object: Option<String>,
}

/// At most `limit` entries after the one at position `after`, the oldest first. 0 begins with the oldest entry that is kept.
pub async fn audit_entries(
    data: &dyn TenantData,
    filter: &AuditLogFilter,
    after: u64,
    limit: u32,
) -> StoreResult<Vec<AuditEntry>> {
    let AuditLogFilter { actor, object } = filter;
    let entries = Query::of::<AuditEntry>("audit_entries", &["seq"])
        .equal("actor", actor.as_ref())
        .equal("object", object.as_ref());
    read_all(data, entries.after(Some(&after)).limit(limit)).await
}

/// At most `limit` entries after the one at position `after` and before the one at position `before`, the newest first.
pub async fn newest_audit_entries(
    data: &dyn TenantData,
    filter: &AuditLogFilter,
    (after, before): (u64, Option<u64>),
    limit: u32,
) -> StoreResult<Vec<AuditEntry>> {
    let AuditLogFilter { actor, object } = filter;
    let last = before.map_or(i64::MAX.unsigned_abs(), |before| before.saturating_sub(1));
    let entries = Query::of::<AuditEntry>("newest_audit_entries", &["seq"])
        .descending()
        .equal("actor", actor.as_ref())
        .equal("object", object.as_ref())
        .between("seq", [&after.saturating_add(1), &last]);
    read_all(data, entries.limit(limit)).await
}

/// The ends of the tenant's chain.
pub async fn audit_chain(data: &dyn TenantData) -> StoreResult<AuditChain> {
    let chain = read_one(data, Query::of::<AuditChain>("audit_chain", &[])).await?;
    Ok(chain.unwrap_or(AuditChain::EMPTY))
}
