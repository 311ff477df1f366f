use async_trait::async_trait;
use pointbook_domain::UserId;

use super::StoreResult;
use crate::schema::rows::LedgerEntry;

/// The event feed of one tenant. Commands add its blocks.
#[async_trait]
pub trait FeedStore {
    /// Gives positions to at most `limit` blocks that have none, in the order of their ordinals. Returns to how many. Only one
    /// caller at a time does so, in any process.
    async fn number_blocks(&self, limit: u32) -> StoreResult<u32>;

    /// The ledger rows at these positions, in any order. Positions without a row are left out.
    async fn entries_at(&self, at: &[(UserId, u64)]) -> StoreResult<Vec<LedgerEntry>>;
}
