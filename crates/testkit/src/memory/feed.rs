//! The event feed.

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::commands::{BlockRemoval, Changes, FeedRestart};
use pointbook_app::feed::{NewBlock, feed_blocks};
use pointbook_app::ports::{FeedStore, LedgerEntry};
use pointbook_domain::{Feed, FeedBlock, UserId};

use super::{MemoryTenant, Rows};

#[async_trait]
impl FeedStore for MemoryTenant {
    async fn number_blocks(&self, limit: u32) -> StoreResult<u32> {
        self.with(|rows| rows.number(limit))
    }

    async fn entries_at(&self, at: &[(UserId, u64)]) -> StoreResult<Vec<LedgerEntry>> {
        self.with(|rows| at.iter().filter_map(|key| rows.entries.get(key).cloned()).collect())
    }
}

impl Rows {
    pub(super) fn append_blocks(&mut self, changes: &Changes) {
        let block = |NewBlock { at, entries, .. }| FeedBlock { last_position: 0, at, entries };
        self.new_blocks.extend(feed_blocks(changes).into_iter().map(block));
    }

    fn number(&mut self, limit: u32) -> u32 {
        let count = self.new_blocks.len().min(limit as usize);
        for block in self.new_blocks.drain(..count) {
            let feed = self.feed.get_or_insert(Feed::EMPTY);
            feed.last_position += block.entries.len() as u64;
            self.blocks.insert(feed.last_position, FeedBlock { last_position: feed.last_position, ..block });
        }
        u32::try_from(count).unwrap()
    }

    pub(super) fn restart_feed(&mut self, restart: Option<FeedRestart>) {
        if let Some(restart) = restart {
            self.feed.get_or_insert(Feed::EMPTY).generation = restart.to_generation;
        }
    }

    pub(super) fn remove_blocks(&mut self, removal: Option<BlockRemoval>) {
        if let Some(removal) = removal {
            self.blocks.retain(|last, _| *last > removal.to_position);
            self.feed.as_mut().unwrap().removed_position = removal.to_position;
        }
    }
}
