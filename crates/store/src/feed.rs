//! What each commit adds to the feed, and what wakes its readers.

use pointbook_domain::{EventType, FeedEntry, Timestamp, UserId};
use tokio::sync::Notify;
use tokio::sync::futures::Notified;
use uuid::Uuid;

use crate::commands::Changes;

/// The most entries of one block. A reader takes whole blocks into memory.
pub const MAX_BLOCK_ENTRIES: usize = 1_000;

/// A block that has no position yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewBlock {
    /// A UUID as 32 hexadecimal digits.
    pub id: String,
    /// When the changes were made.
    pub at: Timestamp,
    pub entries: Vec<FeedEntry>,
}

/// The entries of the changes in blocks. No block when readers learn nothing from the changes.
pub fn feed_blocks(changes: &Changes) -> Vec<NewBlock> {
    let (at, all) = (changes.made_at.unwrap_or(Timestamp::MIN), in_order(&changes.events));
    let block = |entries: &[FeedEntry]| NewBlock {
        id: Uuid::now_v7().simple().to_string(),
        at,
        entries: entries.to_vec(),
    };
    all.chunks(MAX_BLOCK_ENTRIES).map(block).collect()
}

/// Users come before their orders, and orders before their transactions. Equal events are one: a commit may have many, so they are found
/// by their order.
fn in_order(events: &[FeedEntry]) -> Vec<FeedEntry> {
    let mut events = events.to_vec();
    events.sort_by(|one, other| place(one).cmp(&place(other)));
    events.dedup();
    events
}

/// The place of an event in its commit. Events of the same place keep their order, but users and products are sorted.
fn place(event: &FeedEntry) -> (u8, Option<&str>) {
    let user = event.user_id.as_ref().map(UserId::as_str);
    match event.kind {
        EventType::UserCreated => (0, user),
        EventType::UserChanged | EventType::UserDisabled => (1, user),
        EventType::OrderPlaced => (2, None),
        kind if kind.is_transaction() => (3, None),
        EventType::OrderFulfilled | EventType::OrderCancelled => (4, None),
        EventType::ProductChanged => (5, event.id.as_deref()),
        EventType::CategoriesChanged => (6, None),
        _ => (7, None),
    }
}

/// Readers of one tenant's feed that wait for a write.
#[derive(Debug, Default)]
pub struct FeedWake(Notify);

impl FeedWake {
    /// Wakes all readers that wait. Costs an atomic read when none waits.
    pub(crate) fn wake(&self) {
        self.0.notify_waiters();
    }

    /// Ends with the next write, once it is enabled.
    pub fn next_write(&self) -> Notified<'_> {
        self.0.notified()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_come_before_their_transactions_and_a_product_once() {
        let event = |kind, user: Option<&str>, id: Option<&str>, row| FeedEntry {
            kind,
            user_id: user.map(|user| UserId::new(user).unwrap()),
            id: id.map(str::to_owned),
            row,
        };
        let row = |seq| event(EventType::TransactionRecorded, Some("b"), None, Some((Timestamp::MIN, seq)));
        let product = |id| event(EventType::ProductChanged, None, Some(id), None);
        let created = |user| event(EventType::UserCreated, Some(user), None, None);
        let told =
            [product("mug"), row(1), created("b"), product("cup"), row(2), created("a"), product("mug")];
        let expected = [created("a"), created("b"), row(1), row(2), product("cup"), product("mug")];
        assert_eq!(in_order(&told), expected);
    }
}
