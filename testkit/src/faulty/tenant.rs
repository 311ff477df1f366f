//! The data of one tenant. Writes and some reads may fail, and the other calls go to the inner store.

use std::sync::Arc;

use async_trait::async_trait;
use pointbook_domain::{CategoryTree, PageRequest, ProductId, TenantId, Timestamp, TokenHash, UserId};
use pointbook_store::StoreResult;
use pointbook_store::commands::{AnyCommand, CommandStore};
use pointbook_store::ports::{
    AuditBatch, CatalogueStore, CatalogueVersion, EntryAt, FeedStore, FoundToken, HistoryRead, LedgerEntry,
    LedgerStore, OrderStore, PageOf, ProductChange, Query, RequestKeyStore, Row, RowReader, RowStore,
    SecretStore, TenantData, TokenStore,
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
        self.faults.write(self.inner.run(command)).await
    }
}

#[async_trait]
impl TokenStore for FaultyTenant {
    async fn find_token(&self, hash: &TokenHash) -> StoreResult<Option<FoundToken>> {
        self.inner.find_token(hash).await
    }

    async fn remove_ended_tokens(&self, ended_before: Timestamp, limit: u32) -> StoreResult<u32> {
        self.inner.remove_ended_tokens(ended_before, limit).await
    }
}

#[async_trait]
impl CatalogueStore for FaultyTenant {
    async fn catalogue_version(&self) -> StoreResult<CatalogueVersion> {
        self.faults.check("catalogue_version").await?;
        self.inner.catalogue_version().await
    }

    async fn product_changes(
        &self,
        since: CatalogueVersion,
        after: Option<&ProductId>,
        limit: u32,
    ) -> StoreResult<Vec<ProductChange>> {
        self.inner.product_changes(since, after, limit).await
    }

    async fn categories(&self) -> StoreResult<CategoryTree> {
        self.faults.loads.send_modify(|loads| *loads += 1);
        self.faults.held.subscribe().wait_for(|held| held.as_ref() != Some(&self.id)).await.unwrap();
        self.inner.categories().await
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
impl OrderStore for FaultyTenant {
    async fn most_ordered(&self, since: Timestamp, limit: u32) -> StoreResult<Vec<ProductId>> {
        self.faults.check("most_ordered").await?;
        self.inner.most_ordered(since, limit).await
    }
}

#[async_trait]
impl RequestKeyStore for FaultyTenant {
    async fn forget_request_keys(&self, used_before: Timestamp, limit: u32) -> StoreResult<u32> {
        self.inner.forget_request_keys(used_before, limit).await
    }

    async fn oldest_request_key(&self) -> StoreResult<Option<Timestamp>> {
        self.inner.oldest_request_key().await
    }
}

#[async_trait]
impl SecretStore for FaultyTenant {
    /// Does not count as a write, because the service calls it at an unspecified first use.
    async fn secret(&self, name: &str, fresh: &[u8; 32], now: Timestamp) -> StoreResult<[u8; 32]> {
        self.faults.check("secret").await?;
        self.inner.secret(name, fresh, now).await
    }
}

#[async_trait]
impl RowReader for FaultyTenant {
    async fn rows(&self, query: &Query) -> StoreResult<Vec<Row>> {
        self.inner.rows(query).await
    }
}

#[async_trait]
impl RowStore for FaultyTenant {
    async fn few_rows(&self, query: &Query) -> StoreResult<Vec<Row>> {
        self.inner.few_rows(query).await
    }

    async fn row_page(&self, query: &Query, page: PageRequest) -> StoreResult<PageOf<Row>> {
        self.inner.row_page(query, page).await
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
