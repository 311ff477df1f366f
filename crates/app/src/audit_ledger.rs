//! The audit of one tenant: every balance and day, recomputed from the ledger in one pass.

use pointbook_domain::audit::{AuditedUser, Auditor};
use tokio::sync::mpsc;

use crate::StoreResult;
use crate::ports::{AuditBatch, TenantData};

/// What an audit of one tenant came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AuditReport {
    /// Users looked at.
    pub users: u64,
    /// Transactions summed up.
    pub transactions: u64,
    /// Differences found.
    pub differences: u64,
}

/// How many batches of facts may wait, so that memory stays bounded.
const WAITING_BATCHES: usize = 4;

/// Recomputes every user and hands each to `each`, by user id.
///
/// # Errors
/// When the store fails.
pub async fn audit_ledger(
    data: &dyn TenantData,
    mut each: impl FnMut(&AuditedUser) + Send,
) -> StoreResult<AuditReport> {
    let (sender, mut facts) = mpsc::channel::<AuditBatch>(WAITING_BATCHES);
    let mut report = AuditReport::default();
    let mut close = |user: AuditedUser| {
        report.users += 1;
        report.transactions += user.totals.transactions;
        report.differences += user.differences.len() as u64;
        each(&user);
    };
    let recompute = async {
        let mut auditor = Auditor::default();
        while let Some(batch) = facts.recv().await {
            for (user_id, fact) in &batch {
                if let Some(user) = auditor.take(user_id, fact) {
                    close(user);
                }
            }
        }
        if let Some(user) = auditor.finish() {
            close(user);
        }
    };
    let (sent, ()) = tokio::join!(data.audit_facts(sender), recompute);
    sent?;
    Ok(report)
}
