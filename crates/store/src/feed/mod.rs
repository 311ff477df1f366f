//! What each commit adds to the event feed, and how it wakes readers. The slice `events` reads the feed.

mod entries;
mod wake;

pub use self::entries::{MAX_BLOCK_ENTRIES, NewBlock, feed_blocks};
pub use self::wake::FeedWake;
