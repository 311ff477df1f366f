use async_trait::async_trait;
use pointbook_domain::{Timestamp, UserId};

use super::StoreResult;
use crate::schema::rows::LedgerEntry;

/// The user of a ledger row, the time of its transaction, and its position among the user's rows.
pub type EntryAt = (UserId, (Timestamp, u64));

/// The event feed of one tenant. Commands add its blocks.
#[async_trait]
pub trait FeedStore {
    /// Gives positions to at most `limit` blocks that have none, in the order of their ordinals. Returns to how many. Only one
    /// caller at a time does so, in any process.
    async fn number_blocks(&self, limit: u32) -> StoreResult<u32>;

    /// The ledger rows with these users, times and positions, in any order. What has no row is left out.
    async fn entries_at(&self, at: &[EntryAt]) -> StoreResult<Vec<LedgerEntry>>;
}
