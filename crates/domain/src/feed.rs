//! The event feed of a tenant: what changed, in an order that never changes once it was read.

use std::fmt;

use crate::{Timestamp, UserId};

crate::words! {
    /// What an event says. Types are added and never change their meaning.
    pub EventType {
        /// A row of the ledger.
        TransactionRecorded = "transaction.recorded",
        /// A row of the ledger that takes back another one.
        TransactionReversed = "transaction.reversed",
        /// A row of the ledger in which points ended.
        PointsExpired = "points.expired",
        /// Points of a user end in some days.
        PointsExpiring = "points.expiring",
        OrderPlaced = "order.placed",
        OrderFulfilled = "order.fulfilled",
        OrderCancelled = "order.cancelled",
        UserCreated = "user.created",
        /// The profile changed, and the user is not disabled.
        UserChanged = "user.changed",
        /// The profile of a disabled user was written.
        UserDisabled = "user.disabled",
        /// A product was created, changed, retired, or customers see another availability.
        ProductChanged = "product.changed",
        /// The category tree was replaced.
        CategoriesChanged = "categories.changed",
        /// Each attempt to deliver to a webhook has failed for an hour.
        WebhookFailing = "webhook.failing",
        WebhookDisabled = "webhook.disabled",
        /// A campaign runs for the first time.
        CampaignStarted = "campaign.started",
        /// A campaign that has run ended: its time is over, or the back office ended it.
        CampaignEnded = "campaign.ended",
        /// At most a tenth of the budget of a campaign is left.
        CampaignBudgetLow = "campaign.budget_low",
        /// Nothing of the budget of a campaign is left.
        CampaignBudgetSpent = "campaign.budget_spent",
    }
}

impl EventType {
    /// Whether its event is about a webhook.
    pub const fn is_webhook(self) -> bool {
        matches!(self, Self::WebhookFailing | Self::WebhookDisabled)
    }

    /// Whether its event is about the budget of a campaign.
    pub const fn is_campaign_budget(self) -> bool {
        matches!(self, Self::CampaignBudgetLow | Self::CampaignBudgetSpent)
    }

    /// Whether its event is the start or the end of a campaign.
    pub const fn is_campaign_run(self) -> bool {
        matches!(self, Self::CampaignStarted | Self::CampaignEnded)
    }

    /// Whether its event is a row of the ledger.
    pub const fn is_transaction(self) -> bool {
        matches!(self, Self::TransactionRecorded | Self::TransactionReversed | Self::PointsExpired)
    }
}

/// A reference to what changed. Rows of the ledger never change, so their events are rendered from them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedEntry {
    pub kind: EventType,
    pub user_id: Option<UserId>,
    /// The id of the order, of the product, of the webhook or of the campaign; of points that end, an [`EndNotice`](crate::expiry::EndNotice).
    pub id: Option<String>,
    /// The time of the transaction, and its position among the user's: what finds its row.
    pub row: Option<(Timestamp, u64)>,
}

/// The entries of one commit, with their positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedBlock {
    /// The position of its last entry.
    pub last_position: u64,
    /// When the change was made.
    pub at: Timestamp,
    pub entries: Vec<FeedEntry>,
}

impl FeedBlock {
    /// The entries with their positions.
    pub fn numbered(&self) -> impl Iterator<Item = (u64, &FeedEntry)> {
        let before = self.last_position.saturating_sub(self.entries.len() as u64);
        (before + 1..).zip(&self.entries)
    }
}

/// The ends of a tenant's feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Feed {
    /// Another generation has other positions: a restored backup begins a new one.
    pub generation: u64,
    /// The newest position. 0 for an empty feed.
    pub last_position: u64,
    /// The newest position that was removed because of its age. 0 for none.
    pub removed_position: u64,
}

impl Feed {
    pub const EMPTY: Self = Self { generation: 1, last_position: 0, removed_position: 0 };

    /// The place before the oldest event that is kept.
    pub fn begin(&self) -> Cursor {
        Cursor { generation: self.generation, position: self.removed_position }
    }

    /// Whether a reader may go on at this place: nothing after it was removed.
    pub fn has_events_after(&self, cursor: Cursor) -> bool {
        let is_kept = (self.removed_position..=self.last_position).contains(&cursor.position);
        cursor.generation == self.generation && is_kept
    }

    /// How many events come after the position of a cursor.
    pub fn count_after(&self, cursor: Cursor) -> u64 {
        self.last_position.saturating_sub(cursor.position)
    }

    /// The place after the newest event.
    pub fn end(&self) -> Cursor {
        Cursor { generation: self.generation, position: self.last_position }
    }
}

/// A place in a feed, after the event at this position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    pub generation: u64,
    pub position: u64,
}

impl Cursor {
    /// Reads the text that [`fmt::Display`] writes. `None` for another text.
    pub fn parse(text: &str) -> Option<Self> {
        let (generation, position) = text.split_once('-')?;
        let cursor = Self { generation: generation.parse().ok()?, position: position.parse().ok()? };
        let is_storable = |number: u64| i64::try_from(number).is_ok();
        (cursor.to_string() == text && is_storable(cursor.position)).then_some(cursor)
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.generation, self.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_has_one_spelling() {
        let cursor = Cursor { generation: 3, position: 41 };
        assert_eq!(Cursor::parse(&cursor.to_string()), Some(cursor));
        for bad in
            ["", "3", "3-", "-41", "03-41", "3-041", "3-+41", "3-41-1", " 3-41", "3-18446744073709551615"]
        {
            assert_eq!(Cursor::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_last_position_of_a_block_numbers_its_entries() {
        let entry = FeedEntry { kind: EventType::CategoriesChanged, user_id: None, id: None, row: None };
        let at = Timestamp::from_micros(0).unwrap();
        let block = FeedBlock { last_position: 9, at, entries: vec![entry.clone(), entry] };
        let positions: Vec<_> = block.numbered().map(|(position, _)| position).collect();
        assert_eq!(positions, [8, 9]);
    }
}
