//! An entry of the audit log.

use data_encoding::HEXLOWER;
use pointbook_domain::{AuditChain, AuditEntry, NewAuditEntry};
use pointbook_http::describe::{Schema, required};
use pointbook_http::views::values::DateTimeView;
use serde::Serialize;
use serde_json::Value;

#[derive(Debug, Serialize)]
pub struct AuditEntryView<'e> {
    seq: u64,
    timestamp: DateTimeView,
    actor: &'e str,
    actor_label: Option<&'e str>,
    operation: &'e str,
    object: &'e str,
    before: Option<Value>,
    after: Option<Value>,
    reason: Option<&'e str>,
    request_id: Option<&'e str>,
    address: Option<&'e str>,
    hash: String,
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

/// Where the entries are in the log.
#[derive(Debug, Serialize)]
pub struct AuditLogMeta {
    next: u64,
    earliest: u64,
    latest: u64,
}

impl AuditLogMeta {
    /// Of these entries, which follow the position `after`.
    pub fn new(entries: &[AuditEntry], after: u64, chain: &AuditChain) -> Self {
        let next = entries.last().map_or(after, |last| last.seq);
        Self { next, earliest: chain.sealed_seq + 1, latest: chain.last_seq }
    }
}

#[derive(Debug, Serialize)]
pub struct AuditLogView<'e> {
    pub data: Vec<AuditEntryView<'e>>,
    pub meta: AuditLogMeta,
}

pub fn audit_log_schema() -> Schema {
    let next = Schema::count().describe("Pass it as `after` for the entries that follow.");
    let earliest = Schema::count().describe("The `seq` of the oldest entry that is kept.");
    let latest = Schema::count().describe("The `seq` of the newest entry; 0 for an empty log.");
    let meta =
        Schema::object([required("next", next), required("earliest", earliest), required("latest", latest)]);
    Schema::object([required("data", Schema::list(Schema::named("AuditEntry"))), required("meta", meta)])
}

pub fn audit_entry_schema() -> Schema {
    let text = |description: &str| Schema::text().describe(description);
    let optional = |description: &str| Schema::text().or_null().describe(description);
    let values = |description: &str| Schema::any_object().or_null().describe(description);
    Schema::object([
        required("seq", Schema::count().describe("1, 2, 3 ... in a tenant, without a gap.")),
        required("timestamp", Schema::date_time()),
        required(
            "actor",
            text("Who made the change: `key:` and its id, `command-line`, or `job:` and its name."),
        ),
        required("actor_label", optional("The label of the key, or the user at the command line.")),
        required(
            "operation",
            text("A noun and a verb, such as `product.change`. Later versions may add some."),
        ),
        required("object", text("A noun and an id, such as `product:cafe-mug`.")),
        required("before", values("The changed fields before. Null for a new object.")),
        required("after", values("The changed fields after. Null for a removed object.")),
        required("reason", optional("The reason that the request gave.")),
        required("request_id", optional("The id of the request, as the access log has it.")),
        required("address", optional("The address of the client.")),
        required("hash", text("The SHA-256 of this entry and the one before, in hexadecimal digits.")),
    ])
}
