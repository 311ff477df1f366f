//! Reads the append-only ledger.

mod audit;
mod history;

use async_trait::async_trait;
use pointbook_domain::{PageRequest, UserId};
use tokio::sync::mpsc;

use self::history::{MAX_SHORT_ROWS, Page};
use crate::ports::{AuditBatch, HistoryRead, LedgerStore, StoreResult};
use crate::sqlite::store::SqliteTenant;

#[async_trait]
impl LedgerStore for SqliteTenant {
    async fn history_page(&self, user: &UserId, page: PageRequest) -> StoreResult<HistoryRead> {
        let short = self.access.read("history_page", |database| {
            Page { tenant: &self.id, user, request: page }.read(database, MAX_SHORT_ROWS)
        })?;
        if let Some(read) = short {
            return Ok(read);
        }
        let (tenant, user) = (self.id.clone(), user.clone());
        let read = self.access.read_long("history_page_long", &self.id, move |database| {
            Page { tenant: &tenant, user: &user, request: page }.read(database, u64::MAX)
        });
        Ok(read.await?.unwrap_or_default())
    }

    async fn audit_facts(&self, facts: mpsc::Sender<AuditBatch>) -> StoreResult<()> {
        let tenant = self.id.clone();
        self.access
            .read_in_background("audit_facts", Some(&self.id), move |database| {
                audit::send_all(database, &tenant, &facts)
            })
            .await
    }
}
