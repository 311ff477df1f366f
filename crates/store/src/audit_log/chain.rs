//! The chain of the entries of a tenant.

use pointbook_domain::ledger::ChainHash;
use pointbook_domain::{AuditChain, AuditEntry, NewAuditEntry, Timestamp};
use sha2::{Digest, Sha256};

/// The hash of an entry at a position, after the entry with the hash `before`.
pub fn link(entry: &NewAuditEntry, seq: u64, before: &ChainHash) -> ChainHash {
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

/// The removal of the oldest entries. The chain is then verified from the last of them on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AuditSeal {
    /// The checkpoint before. Another one means that another process removed entries meanwhile.
    pub from_seq: u64,
    /// The newest entry that is removed, and its hash.
    pub to_seq: u64,
    pub to_hash: ChainHash,
    pub at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed by another program from what docs/operating/audit-log.md says. Stored rows hold such hashes, so the form can
    /// never change.
    #[test]
    fn a_link_is_what_the_documented_form_comes_to() {
        let entry = NewAuditEntry {
            at: Timestamp::from_micros(1_709_208_000_000_001).unwrap(),
            actor: "key:k1".to_owned(),
            actor_label: Some("か".to_owned()),
            operation: "product.change".to_owned(),
            object: "product:mug".to_owned(),
            before: Some(r#"{"stock":3}"#.to_owned()),
            after: Some(r#"{"stock":4}"#.to_owned()),
            reason: None,
            request_id: Some("r-1".to_owned()),
            address: Some("203.0.113.9".to_owned()),
        };
        let mut chain = AuditChain::EMPTY;
        let entries = append(&mut chain, &[entry.clone(), entry]);
        let hex = |hash: &ChainHash| data_encoding::HEXLOWER.encode(hash);
        assert_eq!(hex(&entries[0].hash), "10bfb857843288e1e36e527fc17e1531de435f8f78817ec07e5810cd74f0466b");
        assert_eq!(hex(&entries[1].hash), "e10fc200709810e16689feb6ee37435150ceafa22ee86c693420e797991840b2");
        assert_eq!((chain.last_seq, chain.last_hash), (2, entries[1].hash));
    }
}
