//! The facts that a store sends to an audit.

use crate::expiry::Moves;
use crate::ledger::ChainHash;
use crate::{Day, Order, OrderId, Points, ProductId, Timestamp, Transaction};

/// One stored fact. Facts come by user. For a user, the order is: the user's row, the orders by time, the same orders
/// whose product is missing, the awards, the changes of lots without a row, and the ledger rows by `seq`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuditFact {
    User(StoredUser),
    Order(Box<Order>),
    /// An order whose product has no row. The order may be unreadable too.
    ProductMissing {
        order: OrderId,
        product: ProductId,
    },
    /// A bonus that a campaign gave.
    Award {
        campaign_id: String,
        /// The `seq` of its ledger row.
        seq: i64,
        points: i64,
    },
    /// Lots that changed without a ledger row.
    LotChange {
        /// The `seq` of the row before it.
        after_seq: i64,
        moves: Moves,
    },
    Row(Box<StoredRow>),
    /// An unreadable order or change of lots: its place and the reason.
    Unreadable(String),
}

/// What a user's row says about the user's history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredUser {
    pub balance: i64,
    pub day_count: i64,
    /// The `seq` of the newest row; 0 without rows.
    pub last_seq: i64,
    /// The hash of the newest row; [`crate::ledger::CHAIN_START`] without rows.
    pub last_hash: ChainHash,
    /// How many activities earned points, as [`crate::EarnedCounts`] displays.
    pub earned: String,
    pub lots: StoredLots,
}

/// What a user's row says about the user's lots.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoredLots {
    /// As [`crate::expiry::Lots`] displays. `None` when no lots are kept.
    pub lots: Option<String>,
    /// The last day of the points that end first, in days since the epoch.
    pub next_expiry_on: Option<i64>,
}

/// A row of the ledger as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRow {
    /// The position among the user's rows, in order of recording.
    pub seq: i64,
    /// The link in the user's chain.
    pub hash: ChainHash,
    /// The stored sum of its bonuses, in points. Customers see the sum of the breakdown.
    pub bonus_points: i64,
    pub content: Result<RowContent, UnreadableRow>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowContent {
    pub transaction: Transaction,
    pub balance_after: Points,
    pub recorded_at: Timestamp,
    /// What it moved in the lots. `None` when no lots were kept.
    pub moves: Option<Moves>,
}

/// An unreadable row of the ledger, with the columns that the rest of the audit needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableRow {
    pub id: String,
    pub kind: String,
    pub source_id: String,
    pub points: i64,
    /// When it happened, in microseconds since the epoch.
    pub created_at: i64,
    pub balance_after: i64,
    /// The unreadable column, and the reason.
    pub why: String,
}

impl StoredRow {
    /// A value of the row, readable or not.
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

    /// How an operator finds the row.
    pub(super) fn name(&self) -> String {
        let id = self.value(|row| row.transaction.id.as_str(), |row| &row.id);
        format!("transaction {} ({} {:?}, id {id:?})", self.seq, self.kind(), self.source_id())
    }

    /// The day of the row. `None` outside the years 1 to 9999.
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

    /// The sum of its breakdown in points. The stored sum when the breakdown is unreadable.
    pub(super) fn breakdown_points(&self) -> i64 {
        self.value(|row| row.transaction.activity.bonuses.total().get(), |_| self.bonus_points)
    }

    /// The change of the balance, in points.
    pub(super) fn net_points(&self) -> i128 {
        i128::from(self.points()) + i128::from(self.breakdown_points())
    }

    pub(super) fn balance_after(&self) -> i64 {
        self.value(|row| row.balance_after.get(), |row| row.balance_after)
    }
}
