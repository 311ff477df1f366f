//! Reads events after a cursor.

use std::collections::HashMap;
use std::pin::pin;
use std::time::Duration;

use pointbook_domain::expiry::EndNotice;
use pointbook_domain::{Cursor, EventType, Feed, FeedBlock, FeedEntry, Timestamp, UserId};
use pointbook_store::ports::{TenantData, read_all, read_one};
use pointbook_store::schema::Query;
use pointbook_store::schema::rows::{CampaignRunRow, LedgerEntry};
use pointbook_store::{ServedTenant, StoreError, StoreResult};
use tokio::time::{Instant, timeout};

/// How many blocks get positions in one write.
const BLOCKS_PER_NUMBERING: u32 = 1_000;

/// How often a waiting reader looks for the writes of other processes.
const OTHER_PROCESSES: Duration = Duration::from_millis(500);

/// How many blocks one read looks at. A filter that matches few events continues with the next cursor.
const BLOCKS_PER_READ: u32 = 1_000;

/// How many positions one read looks at, at least the entries of a block. Otherwise large blocks would fill the memory.
const POSITIONS_PER_READ: u64 = 10_000;

/// The events of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventFilter {
    /// Only these types; empty for all.
    pub types: Vec<EventType>,
    /// Only events about this user.
    pub user_id: Option<UserId>,
}

impl EventFilter {
    fn matches(&self, entry: &FeedEntry) -> bool {
        let is_type = self.types.is_empty() || self.types.contains(&entry.kind);
        is_type && self.user_id.as_ref().is_none_or(|user| entry.user_id.as_ref() == Some(user))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    pub generation: u64,
    pub position: u64,
    pub kind: EventType,
    /// When the change was made.
    pub at: Timestamp,
    pub data: EventData,
}

impl Event {
    /// The id by which receivers know it. It never changes.
    pub fn id(&self) -> String {
        format!("evt_{}_{}", self.generation, self.position)
    }
}

/// What an event says, besides its type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventData {
    /// A row of the ledger in full: it never changes.
    Transaction(Box<LedgerEntry>),
    Order {
        user_id: UserId,
        order_id: String,
    },
    User(UserId),
    /// Points of a user end soon.
    EndNotice(UserId, EndNotice),
    Product(String),
    Webhook(String),
    Campaign(String),
    /// The start or the end of a campaign.
    CampaignRun {
        campaign_id: String,
        /// The version in force then.
        version: u32,
        at: Timestamp,
    },
    Nothing,
}

/// Some events, and where to go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventPage {
    pub events: Vec<Event>,
    /// After the last event that was looked at.
    pub cursor: Cursor,
    pub feed: Feed,
}

#[derive(Debug, thiserror::Error)]
pub enum FeedError {
    /// The events after this cursor are gone, or the feed has another generation.
    #[error("the events after this cursor are gone")]
    Gone(Feed),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The ends of the tenant's feed. [`Feed::EMPTY`] when it was never read.
pub async fn feed(data: &dyn TenantData) -> StoreResult<Feed> {
    Ok(find_feed(data).await?.unwrap_or(Feed::EMPTY))
}

/// The stored ends of the tenant's feed. `None` when it was never read, and while a copy of the tenant has not written it yet.
pub async fn find_feed(data: &dyn TenantData) -> StoreResult<Option<Feed>> {
    read_one(data, Query::of::<Feed>("feed", &[])).await
}

/// The ends of the tenant's feed, after all blocks got their positions.
pub async fn newest_feed(data: &dyn TenantData) -> StoreResult<Feed> {
    while data.number_blocks(BLOCKS_PER_NUMBERING).await? == BLOCKS_PER_NUMBERING {}
    feed(data).await
}

/// At most `limit` events after a cursor, or from the oldest one on. Without any, waits up to `wait` for the first.
///
/// # Errors
/// [`FeedError::Gone`] for a cursor whose events were removed, or of another generation; and when the store fails.
pub async fn read_events(
    served: &ServedTenant,
    filter: &EventFilter,
    after: Option<Cursor>,
    limit: u32,
    wait: Duration,
) -> Result<EventPage, FeedError> {
    let until = Instant::now() + wait;
    let mut after = after;
    loop {
        // A write after the read wakes this reader too.
        let mut next_write = pin!(served.feed_wake.next_write());
        next_write.as_mut().enable();
        let page = read_now(&*served.data, filter, after, limit).await?;
        let left = until.saturating_duration_since(Instant::now());
        let is_at_end = page.cursor.position == page.feed.last_position;
        if !page.events.is_empty() || left.is_zero() || !is_at_end {
            return Ok(page);
        }
        after = Some(page.cursor);
        // Whichever comes first: the reader looks again.
        drop(timeout(left.min(OTHER_PROCESSES), next_write).await);
    }
}

async fn read_now(
    data: &dyn TenantData,
    filter: &EventFilter,
    after: Option<Cursor>,
    limit: u32,
) -> Result<EventPage, FeedError> {
    let feed = newest_feed(data).await?;
    let after = after.unwrap_or_else(|| feed.begin());
    if !feed.has_events_after(after) {
        return Err(FeedError::Gone(feed));
    }
    let blocks = Query::of::<FeedBlock>("feed_blocks", &["last_position"]).after(Some(&after.position));
    // Positions have no gap, so the first bound always has the next block.
    let span = [&(after.position + 1), &(after.position + POSITIONS_PER_READ)];
    let blocks = blocks.between("last_position", span).limit(BLOCKS_PER_READ);
    let blocks: Vec<FeedBlock> = read_all(data, blocks).await?;
    // The job that removes old events may have run since the feed was read.
    if blocks
        .first()
        .and_then(|block| block.numbered().next())
        .is_some_and(|(first, _)| first > after.position + 1)
    {
        return Err(FeedError::Gone(crate::feed::feed(data).await?));
    }
    let (found, position) = matching(&blocks, filter, after.position, limit);
    let events = render(data, feed.generation, found).await?;
    Ok(EventPage { events, cursor: Cursor { position, ..after }, feed })
}

pub(crate) type Found<'b> = (u64, Timestamp, &'b FeedEntry);

/// The entries that match, and the last position that was looked at.
pub(crate) fn matching<'b>(
    blocks: &'b [FeedBlock],
    filter: &EventFilter,
    after: u64,
    limit: u32,
) -> (Vec<Found<'b>>, u64) {
    let (mut found, mut position) = (Vec::new(), after);
    for block in blocks {
        for (at, entry) in block.numbered().filter(|(at, _)| *at > after) {
            if found.len() >= limit as usize {
                return (found, position);
            }
            position = at;
            if filter.matches(entry) {
                found.push((at, block.at, entry));
            }
        }
    }
    (found, position)
}

pub(crate) async fn render(
    data: &dyn TenantData,
    generation: u64,
    found: Vec<Found<'_>>,
) -> StoreResult<Vec<Event>> {
    let of_ledger = |entry: &FeedEntry| Some((entry.user_id.clone()?, entry.row?));
    let rows: Vec<_> = found.iter().filter_map(|(.., entry)| of_ledger(entry)).collect();
    let rows = if rows.is_empty() { Vec::new() } else { data.entries_at(&rows).await? };
    let key = |row: &LedgerEntry| (row.user_id.clone(), (row.transaction.activity.created_at, row.seq));
    let mut rows: HashMap<_, _> = rows.into_iter().map(|row| (key(&row), row)).collect();
    let runs = runs(data, &found).await?;
    let event = |(position, at, entry): Found<'_>| {
        let row = of_ledger(entry).and_then(|key| rows.remove(&key));
        let data = if entry.kind.is_campaign_run() { run_data(entry, &runs) } else { event_data(entry, row) };
        let data = data.ok_or_else(|| missing(position))?;
        Ok(Event { generation, position, kind: entry.kind, at, data })
    };
    found.into_iter().map(event).collect()
}

/// What the events about starts and ends of campaigns need.
async fn runs(data: &dyn TenantData, found: &[Found<'_>]) -> StoreResult<Vec<CampaignRunRow>> {
    if !found.iter().any(|(.., entry)| entry.kind.is_campaign_run()) {
        return Ok(Vec::new());
    }
    read_all(data, Query::of::<CampaignRunRow>("campaign_runs", &["campaign_id"])).await
}

/// Written once and never changed, as rows of the ledger are.
fn run_data(entry: &FeedEntry, runs: &[CampaignRunRow]) -> Option<EventData> {
    let run = runs.iter().find(|run| Some(&run.campaign_id) == entry.id.as_ref())?;
    let CampaignRunRow { campaign_id, started_at, started_version, ended_at, ended_version } = run;
    let (at, version) = match entry.kind {
        EventType::CampaignStarted => (*started_at, *started_version),
        _ => ((*ended_at)?, (*ended_version)?),
    };
    Some(EventData::CampaignRun { campaign_id: campaign_id.clone(), version, at })
}

fn event_data(entry: &FeedEntry, row: Option<LedgerEntry>) -> Option<EventData> {
    let FeedEntry { kind, user_id, id, row: _ } = entry;
    if kind.is_transaction() {
        return row.map(|row| EventData::Transaction(Box::new(row)));
    }
    if *kind == EventType::PointsExpiring {
        return Some(EventData::EndNotice(user_id.clone()?, EndNotice::parse(id.as_ref()?)?));
    }
    Some(match (user_id.clone(), id.clone()) {
        (None, Some(webhook_id)) if kind.is_webhook() => EventData::Webhook(webhook_id),
        (None, Some(campaign_id)) if kind.is_campaign_budget() => EventData::Campaign(campaign_id),
        (Some(user_id), Some(order_id)) => EventData::Order { user_id, order_id },
        (Some(user_id), None) => EventData::User(user_id),
        (None, Some(product_id)) => EventData::Product(product_id),
        (None, None) => EventData::Nothing,
    })
}

fn missing(position: u64) -> StoreError {
    StoreError::Corrupt(format!("the event at position {position} names a row that does not exist"))
}
