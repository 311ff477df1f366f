//! Reads the newest events, for people who look at the feed.

use pointbook_domain::{Feed, FeedBlock};
use pointbook_store::StoreResult;
use pointbook_store::ports::{TenantData, read_all};
use pointbook_store::schema::Query;

use crate::feed::read::{Event, EventFilter, matching, newest_feed, render};

/// How many positions one read looks at. A filter that matches few events continues further back with another read.
const POSITIONS_PER_READ: u64 = 1_000;

/// Some of the newest events, and where older ones are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewestEvents {
    /// The newest first.
    pub events: Vec<Event>,
    /// The oldest position that was looked at: older events are before it. `None` when the feed has no older ones.
    pub before: Option<u64>,
    pub feed: Feed,
}

/// At most `limit` events before a position, or the newest ones. It looks at a bounded part of the feed, so that it may find none
/// although there are older ones.
///
/// # Errors
/// When the store fails.
pub async fn newest_events(
    data: &dyn TenantData,
    filter: &EventFilter,
    before: Option<u64>,
    limit: u32,
) -> StoreResult<NewestEvents> {
    let feed = newest_feed(data).await?;
    let last = before.map_or(feed.last_position, |before| before.saturating_sub(1)).min(feed.last_position);
    let after = last.saturating_sub(POSITIONS_PER_READ).max(feed.removed_position);
    if last <= after {
        return Ok(NewestEvents { events: Vec::new(), before: None, feed });
    }
    let blocks = Query::of::<FeedBlock>("newest_feed_blocks", &["last_position"]).after(Some(&after));
    // Each block has at least one position. The block of the last one may end behind it.
    let blocks = blocks.limit(u32::try_from(last - after).unwrap_or(u32::MAX));
    let blocks: Vec<FeedBlock> = read_all(data, blocks).await?;
    let (mut found, _) = matching(&blocks, filter, after, u32::MAX);
    found.retain(|(position, ..)| *position <= last);
    let first = found.len().saturating_sub(limit as usize);
    let newest = found.split_off(first);
    let oldest = if first > 0 { newest.first().map(|(position, ..)| *position) } else { Some(after + 1) };
    let before = oldest.filter(|oldest| *oldest > feed.removed_position + 1);
    let mut events = render(data, feed.generation, newest).await?;
    events.reverse();
    Ok(NewestEvents { events, before, feed })
}
