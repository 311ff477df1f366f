//! What a store tells an audit.

use super::difference::RowName;
use crate::ledger::ChainHash;
use crate::{Day, Order, OrderId, Points, ProductId, Timestamp, Transaction};

/// One stored fact, in the order of an audit: by user, and for a user first the user's row, then the
/// days in order, then the orders in order of time, then those among them without a product, then the
/// rows of the ledger by `seq`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuditFact {
    /// What the user's row remembers.
    User(StoredUser),
    /// A day that the service remembers.
    Day {
        day: Day,
        /// How many transactions it is said to have.
        transaction_count: i64,
    },
    /// An order of the user.
    Order(Box<Order>),
    /// An order, or what should be one, whose product has no row.
    ProductMissing { order: OrderId, product: ProductId },
    /// A row of the ledger.
    Row(Box<StoredRow>),
    /// A day or an order that cannot be read: where it stands, and why.
    Unreadable(String),
}

/// What a user's row remembers of the user's history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredUser {
    /// The balance, in points.
    pub balance: i64,
    /// The number of days with transactions.
    pub day_count: i64,
    /// The `seq` of the newest row; 0 without rows.
    pub last_seq: i64,
    /// The hash of the newest row; [`crate::ledger::CHAIN_START`] without rows.
    pub last_hash: ChainHash,
}

/// A row of the ledger as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRow {
    /// Its place among the user's rows, in order of recording.
    pub seq: i64,
    /// Its link in the user's chain.
    pub hash: ChainHash,
    /// The stored sum of its bonuses, in points. Clients are shown the sum of the breakdown.
    pub bonus_points: i64,
    /// What it says.
    pub content: Result<RowContent, UnreadableRow>,
}

/// What a row of the ledger says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowContent {
    /// What was recorded.
    pub transaction: Transaction,
    pub balance_after: Points,
    pub recorded_at: Timestamp,
}

/// A row of the ledger that is not what the service writes: its columns as they are, as far as the
/// rest of the audit needs them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableRow {
    pub id: String,
    /// Its activity type.
    pub kind: String,
    pub source_id: String,
    /// Base points.
    pub points: i64,
    /// When it happened, in microseconds since the epoch.
    pub created_at: i64,
    /// The balance with it, in points.
    pub balance_after: i64,
    /// Which column cannot be read, and why.
    pub why: String,
}

impl StoredRow {
    /// Its activity type.
    pub(super) fn kind(&self) -> &str {
        match &self.content {
            Ok(content) => content.transaction.activity.kind.as_str(),
            Err(unreadable) => &unreadable.kind,
        }
    }

    pub(super) fn source_id(&self) -> &str {
        match &self.content {
            Ok(content) => content.transaction.activity.source_id.as_str(),
            Err(unreadable) => &unreadable.source_id,
        }
    }

    /// How an operator finds it.
    pub(super) fn name(&self) -> RowName {
        let id = match &self.content {
            Ok(content) => content.transaction.id.as_str(),
            Err(unreadable) => &unreadable.id,
        };
        let (kind, source_id) = (self.kind().to_owned(), self.source_id().to_owned());
        RowName { seq: self.seq, kind, source_id, id: id.to_owned() }
    }

    /// The day on which it happened; none outside the years that have days.
    pub(super) fn day(&self) -> Option<Day> {
        match &self.content {
            Ok(content) => Some(content.transaction.activity.created_at.day()),
            Err(unreadable) => Timestamp::from_micros(unreadable.created_at).map(Timestamp::day),
        }
    }

    /// Base points.
    pub(super) fn points(&self) -> i64 {
        match &self.content {
            Ok(content) => content.transaction.activity.points.get(),
            Err(unreadable) => unreadable.points,
        }
    }

    /// What its breakdown comes to, in points; the stored sum where that cannot be told.
    pub(super) fn breakdown_points(&self) -> i64 {
        match &self.content {
            Ok(content) => content.transaction.activity.bonuses.total().get(),
            Err(_) => self.bonus_points,
        }
    }

    /// What it changes the balance by, in points.
    pub(super) fn net_points(&self) -> i128 {
        i128::from(self.points()) + i128::from(self.breakdown_points())
    }

    /// The balance with it, in points.
    pub(super) fn balance_after(&self) -> i64 {
        match &self.content {
            Ok(content) => content.balance_after.get(),
            Err(unreadable) => unreadable.balance_after,
        }
    }
}
