//! An entry of the audit log.

use data_encoding::HEXLOWER;
use pointbook_domain::{AuditChain, AuditEntry, NewAuditEntry};
use pointbook_http::view;
use pointbook_http::views::values::DateTimeView;
use serde_json::Value;

view! {
    #[derive(Debug)]
    pub struct AuditEntryView<'e> as "AuditEntry" {
        /// 1, 2, 3 ... in a tenant, without a gap.
        seq: u64,
        timestamp: DateTimeView,
        /// Who made the change: `key:` and its id, `command-line`, or `job:` and its name.
        actor: &'e str,
        /// The label of the key, or the user at the command line.
        actor_label: Option<&'e str>,
        /// A noun and a verb, such as `product.change`. Later versions may add some.
        operation: &'e str,
        /// A noun and an id, such as `product:cafe-mug`.
        object: &'e str,
        /// The changed fields before. Null for a new object.
        before: Option<Value>,
        /// The changed fields after. Null for a removed object.
        after: Option<Value>,
        /// The reason that the request gave.
        reason: Option<&'e str>,
        /// The id of the request, as the access log has it.
        request_id: Option<&'e str>,
        /// The address of the client.
        address: Option<&'e str>,
        /// The SHA-256 of this entry and the one before, in hexadecimal digits.
        hash: String,
    }

    #[derive(Debug)]
    pub struct AuditLogView<'e> as "AuditLog" {
        pub data: Vec<AuditEntryView<'e>>,
        pub meta: AuditLogMeta,
    }

    /// Where the entries are in the log.
    #[derive(Debug)]
    pub struct AuditLogMeta {
        /// Pass it as `after` for the entries that follow.
        next: u64,
        /// The `seq` of the oldest entry that is kept.
        earliest: u64,
        /// The `seq` of the newest entry; 0 for an empty log.
        latest: u64,
    }
}

impl<'e> From<&'e AuditEntry> for AuditEntryView<'e> {
    fn from(entry: &'e AuditEntry) -> Self {
        let AuditEntry { seq, new, hash } = entry;
        let NewAuditEntry { at, actor, actor_label, operation, object, before, after, .. } = new;
        let NewAuditEntry { reason, request_id, address, .. } = new;
        Self {
            seq: *seq,
            timestamp: DateTimeView(*at),
            actor,
            actor_label: actor_label.as_deref(),
            operation,
            object,
            before: before.as_deref().map(values),
            after: after.as_deref().map(values),
            reason: reason.as_deref(),
            request_id: request_id.as_deref(),
            address: address.as_deref(),
            hash: HEXLOWER.encode(hash),
        }
    }
}

/// The stored values. Text that is no JSON was not written by pointbook; it is shown as a text under an empty name.
fn values(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(Value::Object(values)) => Value::Object(values),
        Ok(_) | Err(_) => Value::Object([(String::new(), text.into())].into_iter().collect()),
    }
}

impl AuditLogMeta {
    /// Of these entries, which follow the position `after`.
    pub fn new(entries: &[AuditEntry], after: u64, chain: &AuditChain) -> Self {
        let next = entries.last().map_or(after, |last| last.seq);
        Self { next, earliest: chain.sealed_seq + 1, latest: chain.last_seq }
    }
}
