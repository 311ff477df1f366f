//! What each commit adds to the feed, and what wakes its readers.

use pointbook_domain::{EventType, FeedEntry, Order, OrderStatus, Timestamp, User, UserId};
use tokio::sync::Notify;
use tokio::sync::futures::Notified;
use uuid::Uuid;

use crate::commands::{AccountChange, Changes, NewEntry, StockGuard};

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
    let (at, all) = (made_at(changes), entries(changes));
    let block = |entries: &[FeedEntry]| NewBlock {
        id: Uuid::now_v7().simple().to_string(),
        at,
        entries: entries.to_vec(),
    };
    all.chunks(MAX_BLOCK_ENTRIES).map(block).collect()
}

fn made_at(changes: &Changes) -> Timestamp {
    let recorded = changes.entries.iter().map(|entry| entry.recorded_at);
    recorded.chain(changes.made_at).max().unwrap_or(Timestamp::MIN)
}

/// Users come before their transactions, and the transactions of a user in the order of `seq`.
fn entries(changes: &Changes) -> Vec<FeedEntry> {
    let Changes { accounts, entries, new_orders, closed_orders, new_users, changed_users, .. } = changes;
    let Changes { products, retired_products, stocks, categories, reversals, notices, .. } = changes;
    let created = accounts.iter().filter(|change| change.before.is_none());
    let created = created.map(|AccountChange { user_id, .. }| of_user(EventType::UserCreated, user_id));
    let product = |id: &str| entry(EventType::ProductChanged, None, Some(id), None);
    let shown = stocks.iter().filter(|change| matches!(change.guard, StockGuard::Shown { .. }));
    let transaction = |new: &NewEntry| {
        let is_reversal = reversals.contains(&(new.user_id.clone(), new.seq));
        let kind = if is_reversal { EventType::TransactionReversed } else { EventType::TransactionRecorded };
        entry(kind, Some(&new.user_id), None, Some(new.seq))
    };
    created
        .chain(new_users.iter().map(|user| of_user(EventType::UserCreated, &user.id)))
        .chain(changed_users.iter().map(changed_user))
        .chain(new_orders.iter().map(order))
        .chain(entries.iter().map(transaction))
        .chain(closed_orders.iter().map(order))
        .chain(products.iter().map(|write| product(write.product.id.as_str())))
        .chain(retired_products.iter().map(|(id, _)| product(id.as_str())))
        .chain(shown.map(|change| product(change.product_id.as_str())))
        .chain(categories.iter().map(|_| entry(EventType::CategoriesChanged, None, None, None)))
        .chain(notices.iter().cloned())
        .collect()
}

fn entry(kind: EventType, user_id: Option<&UserId>, id: Option<&str>, seq: Option<u64>) -> FeedEntry {
    FeedEntry { kind, user_id: user_id.cloned(), id: id.map(str::to_owned), seq }
}

fn of_user(kind: EventType, user_id: &UserId) -> FeedEntry {
    entry(kind, Some(user_id), None, None)
}

fn changed_user(user: &User) -> FeedEntry {
    let is_disabled = user.disabled_at.is_some();
    of_user(if is_disabled { EventType::UserDisabled } else { EventType::UserChanged }, &user.id)
}

fn order(order: &Order) -> FeedEntry {
    let kind = match order.status {
        OrderStatus::Placed => EventType::OrderPlaced,
        OrderStatus::Fulfilled => EventType::OrderFulfilled,
        OrderStatus::Cancelled => EventType::OrderCancelled,
    };
    entry(kind, Some(&order.user_id), Some(order.id.as_str()), None)
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
