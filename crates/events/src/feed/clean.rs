//! Removes old events.

use pointbook_domain::{Feed, FeedBlock};
use pointbook_store::commands::{Command, CommandError, Facts, Needs, Range};
use pointbook_store::ports::read_all;
use pointbook_store::schema::Query;
use pointbook_store::{Context, StoreResult};

use crate::feed::feed;

/// How many blocks one write numbers or removes, so that other writes wait only briefly.
const BLOCKS_PER_WRITE: u32 = 1_000;

/// How many writes one call makes at most.
const WRITES_PER_CALL: u32 = 50;

/// Removes the blocks up to a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RemoveBlocks {
    /// The removed position before. Another one means that another process removed blocks meanwhile: then it removes nothing.
    pub from_position: u64,
    /// The last position of the newest block that is removed.
    pub to_position: u64,
}

impl Command for RemoveBlocks {
    type Outcome = ();

    const NAME: &'static str = "remove_feed_blocks";

    fn needs(&self, needs: &mut Needs) {
        needs.row::<Feed>(&());
    }

    fn decide(&self, facts: &mut Facts) -> Result<(), CommandError> {
        let Self { from_position, to_position } = self;
        let Some(feed) = facts.get::<Feed>(&())?.copied() else { return Ok(()) };
        if feed.removed_position == *from_position {
            facts
                .remove_range::<FeedBlock>(&Range::default().between("last_position", [&0_u64, to_position]));
            facts.put(Feed { removed_position: *to_position, ..feed })?;
        }
        Ok(())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CleanedFeed {
    /// How many events were removed.
    pub removed: u64,
    /// Whether old events may be left.
    pub has_more: bool,
}

/// Gives positions to the blocks that have none, and removes events that are older by the real clock than the
/// tenant keeps them.
///
/// # Errors
/// When the store fails. What was removed before stays removed.
pub async fn clean_feed(context: &Context) -> StoreResult<CleanedFeed> {
    let mut removed = 0;
    for _ in 0..WRITES_PER_CALL {
        let numbered = context.tenant.data.number_blocks(BLOCKS_PER_WRITE).await?;
        let (events, blocks) = remove_batch(context).await?;
        removed += events;
        if numbered < BLOCKS_PER_WRITE && blocks < BLOCKS_PER_WRITE as usize {
            return Ok(CleanedFeed { removed, has_more: false });
        }
    }
    Ok(CleanedFeed { removed, has_more: true })
}

/// How many events and blocks were removed.
async fn remove_batch(context: &Context) -> StoreResult<(u64, usize)> {
    let kept_since = context.real_now().minus_days(context.tenant.tenant.settings.event_days);
    let data = &*context.tenant.data;
    let from_position = feed(data).await?.removed_position;
    let blocks = Query::of::<FeedBlock>("feed_blocks", &["last_position"]).after(Some(&from_position));
    let blocks: Vec<FeedBlock> = read_all(data, blocks.limit(BLOCKS_PER_WRITE)).await?;
    let old: Vec<_> = blocks.iter().take_while(|block| block.at < kept_since).collect();
    let Some(last) = old.last() else { return Ok((0, 0)) };
    let to_position = last.last_position;
    context.write(RemoveBlocks { from_position, to_position }).await?;
    Ok((to_position - from_position, old.len()))
}
