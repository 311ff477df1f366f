//! The audit log: each change by a back office, an operator or a job leaves an entry in the commit of the change.
//!
//! The functions of [`Facts`](crate::commands::Facts) that change rows note the change. The command's author turns the notes into
//! entries, and a store gives them their positions and hashes when it saves them.

mod fields;
mod note;
mod read;
mod seal;
mod verify;

use pointbook_domain::ledger::ChainHash;
use pointbook_domain::{AuditChain, AuditEntry, NewAuditEntry};
use sha2::{Digest, Sha256};

pub(crate) use self::fields::{
    category_fields, order_fields, product_fields, tenant_fields, token_fields, user_fields,
};
pub(crate) use self::note::ChangeNote;
pub use self::note::{Author, Origin};
pub use self::read::{AuditLogFilter, audit_chain, audit_entries};
pub use self::seal::{AuditSeal, SealAuditLog, SealedAuditLog, seal_audit_log};
pub use self::verify::{AuditLogReport, verify_audit_log};

/// The hash of an entry at a position, after the entry with the hash `before`.
fn link(entry: &NewAuditEntry, seq: u64, before: &ChainHash) -> ChainHash {
    Sha256::digest(entry.canonical_form(seq, before)).into()
}

/// Gives entries their positions and hashes, and moves the newest end of the chain to the last of them.
pub fn append(chain: &mut AuditChain, entries: &[NewAuditEntry]) -> Vec<AuditEntry> {
    let stored = entries.iter().map(|new| {
        let seq = chain.last_seq + 1;
        let hash = link(new, seq, &chain.last_hash);
        (chain.last_seq, chain.last_hash) = (seq, hash);
        AuditEntry { seq, new: new.clone(), hash }
    });
    stored.collect()
}
