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

/// The entries of a page.
#[derive(Debug, Clone, Default)]
pub struct NewestEntries {
    pub filter: AuditLogFilter,
    /// The noun of the object, such as `product`.
    pub kind: Option<&'static str>,
    /// Only entries of these operations. Empty keeps all.
    pub operations: &'static [&'static str],
    /// Only entries after the one at this position.
    pub after: u64,
    /// Only older entries than the one at this position.
    pub before: Option<u64>,
}

/// At most `limit` entries, the newest first.
pub async fn newest_audit_entries(
    data: &dyn TenantData,
    asked: &NewestEntries,
    limit: u32,
) -> StoreResult<Vec<AuditEntry>> {
    let NewestEntries { filter: AuditLogFilter { actor, object }, kind, operations, after, before } = asked;
    let last = before.map_or(i64::MAX.unsigned_abs(), |before| before.saturating_sub(1));
    let mut entries = Query::of::<AuditEntry>("newest_audit_entries", &["seq"])
        .descending()
        .equal("actor", actor.as_ref())
        .equal("object", object.as_ref())
        .between("seq", [&after.saturating_add(1), &last]);
    if let Some(noun) = kind {
        // The character after a colon is a semicolon.
        entries = entries.between("object", [&(*noun).to_owned(), &format!("{noun};")]);
    }
    if !operations.is_empty() {
        entries = entries.one_of("operation", operations.iter().copied());
    }
    read_all(data, entries.limit(limit)).await
}

/// The ends of the tenant's chain.
pub async fn audit_chain(data: &dyn TenantData) -> StoreResult<AuditChain> {
    let chain = read_one(data, Query::of::<AuditChain>("audit_chain", &[])).await?;
    Ok(chain.unwrap_or(AuditChain::EMPTY))
}
