//! The audit log of a tenant: who changed what, when and why. Its entries form a chain of hashes, so that a verification finds
//! an entry that another program changed or removed.

use crate::Timestamp;
use crate::canonical::Canonical;
use crate::ledger::{CHAIN_START, ChainHash};

const FORMAT: &[u8] = b"pointbook-audit-log-1\n";

/// An entry without its position in the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAuditEntry {
    /// When the change was made.
    pub at: Timestamp,
    /// Who made it: `key:ID`, `operator:NAME`, `command-line` or `job:NAME`.
    pub actor: String,
    /// The label of the key, or the user of the operating system.
    pub actor_label: Option<String>,
    /// A noun and a verb, such as `product.change`.
    pub operation: String,
    /// A noun and an id, such as `product:mug`.
    pub object: String,
    /// The changed fields before, as a JSON object. `None` for a new object.
    pub before: Option<String>,
    /// The changed fields after, as a JSON object. `None` for a removed object.
    pub after: Option<String>,
    pub reason: Option<String>,
    /// The id of the request, as the access log has it.
    pub request_id: Option<String>,
    /// The address of the client.
    pub address: Option<String>,
}

/// A stored entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// 1, 2, 3 ... in a tenant, without a gap.
    pub seq: u64,
    pub new: NewAuditEntry,
    /// The link in the chain: SHA-256 of [`NewAuditEntry::canonical_form`].
    pub hash: ChainHash,
}

/// The two ends of a tenant's chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditChain {
    /// The newest entry. 0 for an empty log.
    pub last_seq: u64,
    pub last_hash: ChainHash,
    /// The newest entry that was removed because of its age. 0 for none.
    pub sealed_seq: u64,
    /// The hash of that entry: the checkpoint after which the kept entries continue.
    pub sealed_hash: ChainHash,
    pub sealed_at: Option<Timestamp>,
}

impl AuditChain {
    pub const EMPTY: Self = Self {
        last_seq: 0,
        last_hash: CHAIN_START,
        sealed_seq: 0,
        sealed_hash: CHAIN_START,
        sealed_at: None,
    };
}

impl NewAuditEntry {
    /// The hashed bytes: the format's name, the hash before, the position, then every field in the order of this function. The
    /// tenant is not part of it, so that a tenant can move to another database.
    pub fn canonical_form(&self, seq: u64, before: &ChainHash) -> Vec<u8> {
        let mut form = Canonical::new(FORMAT, before);
        form.integer(seq.cast_signed());
        form.integer(self.at.as_micros());
        form.text(&self.actor);
        form.optional_text(self.actor_label.as_deref());
        form.text(&self.operation);
        form.text(&self.object);
        form.optional_text(self.before.as_deref());
        form.optional_text(self.after.as_deref());
        form.optional_text(self.reason.as_deref());
        form.optional_text(self.request_id.as_deref());
        form.optional_text(self.address.as_deref());
        form.into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> NewAuditEntry {
        NewAuditEntry {
            at: Timestamp::from_micros(1).unwrap(),
            actor: "command-line".to_owned(),
            actor_label: None,
            operation: "user.change".to_owned(),
            object: "user:u1".to_owned(),
            before: None,
            after: None,
            reason: None,
            request_id: None,
            address: None,
        }
    }

    #[test]
    fn every_field_is_part_of_the_form() {
        let some = || Some("x".to_owned());
        let forms = [
            entry(),
            NewAuditEntry { at: Timestamp::from_micros(2).unwrap(), ..entry() },
            NewAuditEntry { actor: "job:x".to_owned(), ..entry() },
            NewAuditEntry { actor_label: some(), ..entry() },
            NewAuditEntry { operation: "user.create".to_owned(), ..entry() },
            NewAuditEntry { object: "user:u2".to_owned(), ..entry() },
            NewAuditEntry { before: some(), ..entry() },
            NewAuditEntry { after: some(), ..entry() },
            NewAuditEntry { reason: some(), ..entry() },
            NewAuditEntry { request_id: some(), ..entry() },
            NewAuditEntry { address: some(), ..entry() },
        ]
        .map(|entry| entry.canonical_form(1, &CHAIN_START));
        let distinct: std::collections::BTreeSet<_> = forms.iter().collect();
        assert_eq!(distinct.len(), forms.len());
        assert!(!distinct.contains(&entry().canonical_form(2, &CHAIN_START)));
        assert!(!distinct.contains(&entry().canonical_form(1, &[1; 32])));
    }
}
