//! Reads the append-only ledger.

mod audit;
mod history;

use std::sync::atomic::AtomicBool;

use async_trait::async_trait;
use pointbook_domain::{PageRequest, UserId};
use tokio::sync::mpsc;

use crate::ports::{AuditBatch, HistoryRead, LedgerStore, StoreResult};
use crate::postgres::scoped::IntoScoped;
use crate::postgres::store::PostgresTenant;

#[async_trait]
impl LedgerStore for PostgresTenant {
    async fn history_page(&self, user: &UserId, page: PageRequest) -> StoreResult<HistoryRead> {
        self.access
            .read_short("history_page", |database| history::page(database, &self.id, user, page).scoped())
            .await
    }

    async fn audit_facts(&self, facts: mpsc::Sender<AuditBatch>) -> StoreResult<()> {
        let (facts, has_sent) = (&facts, &AtomicBool::new(false));
        self.access
            .read_snapshot("audit_facts", |database| {
                audit::send_all(database, &self.id, facts, has_sent).scoped()
            })
            .await
    }
}
