//! Removes old entries. Their last hash stays as a checkpoint, so that the kept entries can still be verified.

use pointbook_domain::{AuditChain, AuditEntry, Timestamp};
use pointbook_store::audit_log::AuditSeal;
use pointbook_store::commands::{Command, CommandError, Facts, Needs, Range};
use pointbook_store::{Context, StoreResult};

use super::read::{AuditLogFilter, audit_chain, audit_entries};

/// How many entries one write removes, so that other writes wait only briefly.
const ENTRIES_PER_WRITE: u32 = 1_000;

/// How many writes one call makes at most.
const WRITES_PER_CALL: u32 = 20;

/// Removes entries and moves the checkpoint.
#[derive(Debug, Clone, Copy)]
pub struct SealAuditLog(pub AuditSeal);

impl Command for SealAuditLog {
    type Outcome = ();

    const NAME: &'static str = "seal_audit_log";

    fn needs(&self, needs: &mut Needs) {
        needs.row::<AuditChain>(&());
    }

    fn decide(&self, facts: &mut Facts) -> Result<(), CommandError> {
        let AuditSeal { from_seq, to_seq, to_hash, at } = self.0;
        let Some(chain) = facts.get::<AuditChain>(&())?.cloned() else { return Ok(()) };
        if chain.sealed_seq == from_seq {
            facts.remove_range::<AuditEntry>(&Range::default().between("seq", [&0_u64, &to_seq]));
            let (sealed_seq, sealed_hash, sealed_at) = (to_seq, to_hash, Some(at));
            facts.put(AuditChain { sealed_seq, sealed_hash, sealed_at, ..chain })?;
        }
        Ok(())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SealedAuditLog {
    pub removed: u64,
    /// Whether old entries may be left.
    pub has_more: bool,
}

/// Removes the entries that are older by the real clock than the tenant keeps them, up to some thousands of them.
///
/// # Errors
/// When the store fails. What was removed before stays removed.
pub async fn seal_audit_log(context: &Context) -> StoreResult<SealedAuditLog> {
    let settings = &context.tenant.tenant.settings;
    let kept_since = context.real_now().minus_days(settings.audit_log_days);
    let mut removed = 0;
    for _ in 0..WRITES_PER_CALL {
        let batch = seal_batch(context, kept_since).await?;
        removed += batch;
        if batch < u64::from(ENTRIES_PER_WRITE) {
            return Ok(SealedAuditLog { removed, has_more: false });
        }
    }
    Ok(SealedAuditLog { removed, has_more: true })
}

async fn seal_batch(context: &Context, kept_since: Timestamp) -> StoreResult<u64> {
    let data = &*context.tenant.data;
    let from_seq = audit_chain(data).await?.sealed_seq;
    let oldest = audit_entries(data, &AuditLogFilter::default(), from_seq, ENTRIES_PER_WRITE).await?;
    let Some(last) = oldest.iter().take_while(|entry| entry.new.at < kept_since).last() else { return Ok(0) };
    let seal = AuditSeal { from_seq, to_seq: last.seq, to_hash: last.hash, at: context.now };
    context.write(SealAuditLog(seal)).await?;
    Ok(last.seq - from_seq)
}
