//! The event feed: what changed, for integrators who pull.
//!
//! Each commit adds its entries as blocks without positions. A reader gives positions to the blocks that it finds committed,
//! before it reads. So writers never wait for each other, and nothing appears below a position that was read.

mod clean;
mod entries;
mod read;
mod wake;

pub use self::clean::{CleanedFeed, RemoveBlocks, clean_feed};
pub use self::entries::{MAX_BLOCK_ENTRIES, feed_blocks};
pub use self::read::{Event, EventData, EventFilter, EventPage, FeedError, feed, read_events};
pub use self::wake::FeedWake;
