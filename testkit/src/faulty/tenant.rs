//! The data of one tenant. Writes and some reads may fail, and the other calls go to the inner store.

use std::sync::Arc;

use async_trait::async_trait;
use pointbook_domain::{PageRequest, TenantId, UserId};
use pointbook_store::StoreResult;
use pointbook_store::commands::{AnyCommand, CommandStore, Lane};
use pointbook_store::ports::{
    AuditBatch, EntryAt, FeedStore, HistoryRead, LedgerEntry, LedgerStore, PageOf, Query, Row, RowReader,
    RowStore, TenantData,
};
use pointbook_store::schema::Table;
use tokio::sync::mpsc;

use super::Faults;

pub(super) struct FaultyTenant {
    pub(super) id: TenantId,
    pub(super) inner: Arc<dyn TenantData>,
    pub(super) faults: Arc<Faults>,
}

#[async_trait]
impl CommandStore for FaultyTenant {
    async fn run(&self, command: Arc<dyn AnyCommand>) -> StoreResult<()> {
        let is_of_members = ["end_points", "tell_notices"].contains(&command.name());
        if command.lane() == Lane::Service && !is_of_members {
            // The service writes at an unspecified time, such as the first use of a secret.
            return self.inner.run(command).await;
        }
        self.faults.write(self.inner.run(command)).await
    }
}

#[async_trait]
impl LedgerStore for FaultyTenant {
    async fn history_page(&self, user: &UserId, page: PageRequest) -> StoreResult<HistoryRead> {
        self.faults.check("history_page").await?;
        self.inner.history_page(user, page).await
    }

    async fn audit_facts(&self, facts: mpsc::Sender<AuditBatch>) -> StoreResult<()> {
        self.inner.audit_facts(facts).await
    }
}

#[async_trait]
impl RowReader for FaultyTenant {
    async fn rows(&self, query: &Query) -> StoreResult<Vec<Row>> {
        self.faults.check(query.name).await?;
        if query.name == "categories" {
            self.faults.loads.send_modify(|loads| *loads += 1);
            self.faults.held.subscribe().wait_for(|held| held.as_ref() != Some(&self.id)).await.unwrap();
        }
        self.inner.rows(query).await
    }
}

#[async_trait]
impl RowStore for FaultyTenant {
    fn tenant(&self) -> &str {
        self.inner.tenant()
    }

    async fn few_rows(&self, query: &Query) -> StoreResult<Vec<Row>> {
        self.faults.check(query.name).await?;
        self.inner.few_rows(query).await
    }

    async fn row_page(&self, query: &Query, page: PageRequest) -> StoreResult<PageOf<Row>> {
        self.inner.row_page(query, page).await
    }

    async fn count(&self, query: &Query) -> StoreResult<u64> {
        self.inner.count(query).await
    }

    async fn row_snapshot(&self) -> StoreResult<Box<dyn RowReader>> {
        self.inner.row_snapshot().await
    }

    async fn write_rows(&self, table: &'static Table, rows: &[Row]) -> StoreResult<u64> {
        self.faults.write(self.inner.write_rows(table, rows)).await
    }

    async fn remove_rows(&self, table: &'static Table, rows: &[Row]) -> StoreResult<()> {
        self.faults.write(self.inner.remove_rows(table, rows)).await
    }

    async fn remove_some(&self, query: &Query) -> StoreResult<u32> {
        self.inner.remove_some(query).await
    }
}

#[async_trait]
impl FeedStore for FaultyTenant {
    async fn number_blocks(&self, limit: u32) -> StoreResult<u32> {
        self.inner.number_blocks(limit).await
    }

    async fn entries_at(&self, at: &[EntryAt]) -> StoreResult<Vec<LedgerEntry>> {
        self.inner.entries_at(at).await
    }
}
