//! The audit of one tenant's ledger, in one pass: every balance, day, order and link of the chain.

use pointbook_domain::audit::{AuditedUser, Auditor};
use pointbook_store::ports::{AuditBatch, TenantData};
use pointbook_store::{StoreResult, chain};
use tokio::sync::mpsc;

/// The result of an audit of one tenant's ledger.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AuditReport {
    pub users: u64,
    pub transactions: u64,
    pub orders: u64,
    pub differences: u64,
}

/// How many batches of facts may wait, so that memory stays bounded.
const WAITING_BATCHES: usize = 4;

/// Recomputes every user and hands each to `each`, by user id. The stock is
/// [`crate::audit::stock::audit_stock()`]'s.
pub async fn audit_ledger(
    data: &dyn TenantData,
    mut each: impl FnMut(&AuditedUser) + Send,
) -> StoreResult<AuditReport> {
    let (sender, mut facts) = mpsc::channel::<AuditBatch>(WAITING_BATCHES);
    let mut report = AuditReport::default();
    let mut close = |user: AuditedUser| {
        report.users += 1;
        report.transactions += user.totals.transactions;
        report.orders += user.totals.orders;
        report.differences += user.differences.len() as u64;
        each(&user);
    };
    let recompute = async {
        let mut auditor = Auditor::new(chain::link);
        while let Some(batch) = facts.recv().await {
            batch.into_iter().filter_map(|(user_id, fact)| auditor.take(user_id, fact)).for_each(&mut close);
        }
        auditor.finish().into_iter().for_each(&mut close);
    };
    let (sent, ()) = tokio::join!(data.audit_facts(sender), recompute);
    sent?;
    Ok(report)
}
