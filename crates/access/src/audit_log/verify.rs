//! Verifies that no other program changed or removed an entry.

use pointbook_domain::ledger::ChainHash;
use pointbook_domain::{AuditChain, AuditEntry};
use pointbook_store::StoreResult;
use pointbook_store::audit_log::link;
use pointbook_store::ports::TenantData;

use super::read::{AuditLogFilter, audit_chain, audit_entries};

const ENTRIES_PER_READ: u32 = 1_000;

/// The result of a verification of one tenant's audit log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditLogReport {
    /// The number of entries that are kept.
    pub entries: u64,
    /// Each difference, in plain words.
    pub differences: Vec<String>,
}

/// Recomputes the chain from the last removed entry to the newest.
///
/// # Errors
/// When the store fails, or a row cannot be read.
pub async fn verify_audit_log(data: &dyn TenantData) -> StoreResult<AuditLogReport> {
    loop {
        let chain = audit_chain(data).await?;
        let report = verify(data, &chain).await?;
        // The job of retention may have removed entries meanwhile.
        if audit_chain(data).await?.sealed_seq == chain.sealed_seq {
            return Ok(report);
        }
    }
}

async fn verify(data: &dyn TenantData, chain: &AuditChain) -> StoreResult<AuditLogReport> {
    let mut verifier =
        Verifier { seq: chain.sealed_seq, hash: chain.sealed_hash, report: AuditLogReport::default() };
    loop {
        let page = audit_entries(data, &AuditLogFilter::default(), verifier.seq, ENTRIES_PER_READ).await?;
        // Other entries may have been added since.
        let known = page.iter().take_while(|entry| entry.seq <= chain.last_seq);
        if known.map(|entry| verifier.take(entry)).count() == 0 {
            return Ok(verifier.finish(chain));
        }
    }
}

/// A verification that has come to an entry.
struct Verifier {
    seq: u64,
    hash: ChainHash,
    report: AuditLogReport,
}

impl Verifier {
    fn take(&mut self, entry: &AuditEntry) {
        let AuditEntry { seq, new, hash } = entry;
        if *seq != self.seq + 1 {
            self.find(format!("audit log: the entries {} to {} are missing", self.seq + 1, seq - 1));
        } else if link(new, *seq, &self.hash) != *hash {
            self.find(format!("audit log: entry {seq} is not what was written"));
        }
        (self.seq, self.hash) = (*seq, *hash);
        self.report.entries += 1;
    }

    fn find(&mut self, difference: String) {
        self.report.differences.push(difference);
    }

    fn finish(mut self, chain: &AuditChain) -> AuditLogReport {
        if self.seq != chain.last_seq {
            self.find(format!("audit log: the entries {} to {} are missing", self.seq + 1, chain.last_seq));
        } else if self.hash != chain.last_hash {
            self.find(format!("audit log: entry {} is not the newest that was written", self.seq));
        }
        self.report
    }
}
