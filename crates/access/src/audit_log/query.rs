//! The parameters of the audit log.

use pointbook_http::query::Fields;

use crate::audit_log::AuditLogFilter;

/// The entries of the audit log that the back office asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditLogQuery {
    pub filter: AuditLogFilter,
    /// The position after which they begin.
    pub after: u64,
    pub limit: u32,
}

/// `GET /v1/manage/audit-log`.
pub fn audit_log(fields: &mut Fields<'_>) -> AuditLogQuery {
    let actor = "Only entries of this actor, such as `key:a0a1a2a3a4a5a6a7a8a9`, `command-line` or \
                 `job:clean-audit-log`.";
    let object = "Only entries about this object, such as `product:cafe-mug` or `user:ben`.";
    let after = "Only entries after this `seq`. Pass `meta.next` of the response before.";
    let filter = AuditLogFilter {
        actor: fields.text("actor", actor).map(str::to_owned),
        object: fields.text("object", object).map(str::to_owned),
    };
    let after = fields.count("after", after).map_or(0, i64::unsigned_abs);
    AuditLogQuery { filter, after, limit: fields.limit(MAX_AUDIT_ENTRIES, USUAL_AUDIT_ENTRIES) }
}

const MAX_AUDIT_ENTRIES: u32 = 1_000;
const USUAL_AUDIT_ENTRIES: u32 = 100;
