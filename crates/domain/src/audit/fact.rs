//! What a store tells an audit.

use crate::ledger::ChainHash;
use crate::{Day, Order, OrderId, Points, ProductId, Timestamp, Transaction};

/// One stored fact, in the order of an audit: by user, and for a user first the user's row, then the
/// days in order, then the orders in order of time, then those among them without a product, then the
/// rows of the ledger by `seq`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuditFact {
    User(StoredUser),
    Day {
        day: Day,
        /// How many transactions it is said to have.
        transaction_count: i64,
    },
    Order(Box<Order>),
    /// An order, or what should be one, whose product has no row.
    ProductMissing {
        order: OrderId,
        product: ProductId,
    },
    Row(Box<StoredRow>),
    /// A day or an order that cannot be read: where it stands, and why.
    Unreadable(String),
}

/// What a user's row remembers of the user's history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredUser {
    pub balance: i64,
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
    pub content: Result<RowContent, UnreadableRow>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowContent {
    pub transaction: Transaction,
    pub balance_after: Points,
    pub recorded_at: Timestamp,
}

/// A row of the ledger that is not what the service writes: its columns as they are, as far as the
/// rest of the audit needs them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableRow {
    pub id: String,
    pub kind: String,
    pub source_id: String,
    pub points: i64,
    /// When it happened, in microseconds since the epoch.
    pub created_at: i64,
    pub balance_after: i64,
    /// Which column cannot be read, and why.
    pub why: String,
}

impl StoredRow {
    /// A value of the row, whether it can be read or not.
    fn value<'r, T>(
        &'r self,
        of_content: impl FnOnce(&'r RowContent) -> T,
        of_unreadable: impl FnOnce(&'r UnreadableRow) -> T,
    ) -> T {
        self.content.as_ref().map_or_else(of_unreadable, of_content)
    }

    pub(super) fn kind(&self) -> &str {
        self.value(|row| row.transaction.activity.kind.as_str(), |row| &row.kind)
    }

    pub(super) fn source_id(&self) -> &str {
        self.value(|row| row.transaction.activity.source_id.as_str(), |row| &row.source_id)
    }

    /// How an operator finds it.
    pub(super) fn name(&self) -> String {
        let id = self.value(|row| row.transaction.id.as_str(), |row| &row.id);
        format!("transaction {} ({} {:?}, id {id:?})", self.seq, self.kind(), self.source_id())
    }

    /// The day on which it happened; none outside the years that have days.
    pub(super) fn day(&self) -> Option<Day> {
        let at = self.value(
            |row| Some(row.transaction.activity.created_at),
            |row| Timestamp::from_micros(row.created_at),
        );
        at.map(Timestamp::day)
    }

    pub(super) fn points(&self) -> i64 {
        self.value(|row| row.transaction.activity.points.get(), |row| row.points)
    }

    /// What its breakdown comes to, in points; the stored sum where that cannot be told.
    pub(super) fn breakdown_points(&self) -> i64 {
        self.value(|row| row.transaction.activity.bonuses.total().get(), |_| self.bonus_points)
    }

    /// What it changes the balance by, in points.
    pub(super) fn net_points(&self) -> i128 {
        i128::from(self.points()) + i128::from(self.breakdown_points())
    }

    pub(super) fn balance_after(&self) -> i64 {
        self.value(|row| row.balance_after.get(), |row| row.balance_after)
    }
}
