//! The event feed: what changed, for integrators who pull.
//!
//! Each commit adds its entries as blocks without positions (`store::feed`). A reader gives positions to the blocks that it finds
//! committed, before it reads. So writers never wait for each other, and nothing appears below a position that was read.

pub(crate) mod api;
mod clean;
pub(crate) mod console;
pub(crate) mod job;
mod newest;
pub mod query;
mod read;
mod restart;
pub mod view;

pub use clean::{CleanedFeed, RemoveBlocks, clean_feed};
pub use newest::{NewestEvents, newest_events};
pub use read::{
    Event, EventData, EventFilter, EventPage, FeedError, feed, find_feed, newest_feed, read_events,
};
pub use restart::{RestartFeed, restart_feed};
