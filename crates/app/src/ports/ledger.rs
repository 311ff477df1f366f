use std::sync::Arc;

use async_trait::async_trait;
use pointbook_domain::audit::AuditFact;
use pointbook_domain::{ActivityType, HistoryRows, PageRequest, Points, Transaction, TransactionId, UserId};
use pointbook_schema::Query;
use pointbook_schema::rows::LedgerEntry;
use tokio::sync::mpsc;

use super::rows::{read_all, read_page};
use super::{PageOf, RowStore, StoreResult};

/// What a page of history needs, read at one moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HistoryRead {
    /// The user's balance.
    pub user_points: Points,
    /// On how many days the user has transactions.
    pub day_count: u64,
    /// All transactions of the page's days.
    pub rows: HistoryRows,
}

/// A transaction to be recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTransaction {
    pub user_id: UserId,
    /// What, under an id that is new.
    pub transaction: Transaction,
}

/// What became of a transaction that was to be recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordOutcome {
    /// It stands in the ledger.
    Recorded,
    /// The same (user, type, source id) with the same content stood there before.
    AlreadyRecorded,
    /// The same (user, type, source id) stands there with other content, or it is the business key of an
    /// order's points; nothing was recorded.
    Conflict,
    /// The balance would leave its bounds; nothing was recorded.
    OutOfRange,
    /// The tenant does not have this activity type; nothing was recorded.
    UnknownType(ActivityType),
}

/// An activity to be recorded on behalf of a back office.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActivityToRecord {
    pub new: NewTransaction,
    /// Whether the request says when it happened. Without it, a repeat may come at any time and is
    /// the same activity.
    pub has_own_time: bool,
}

/// An activity that stands in the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedActivity {
    /// The transaction as it was recorded first.
    pub transaction: Arc<Transaction>,
    /// Its place among the user's rows.
    pub seq: u64,
    /// The user's balance now.
    pub user_points: Points,
}

/// What became of an activity that was to be recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordActivityOutcome {
    /// It stands in the ledger from now on.
    Recorded(RecordedActivity),
    /// The same (user, type, source id) with the same content stood there before.
    AlreadyRecorded(RecordedActivity),
    /// The same (user, type, source id) stands there with other content, or it is the business key of an
    /// order's points; nothing was recorded.
    Conflict,
    /// It takes more points than there are; nothing was recorded.
    TooFewPoints,
    /// The balance would leave its bounds; nothing was recorded.
    OutOfRange,
}

/// Facts of an audit with their users, in the order that [`AuditFact`] asks for.
pub type AuditBatch = Vec<(UserId, AuditFact)>;

/// The ledger of one tenant. Rows are added, never changed or removed.
#[async_trait]
pub trait LedgerStore: RowStore {
    /// The days of one page of a user's history, newest first, with all their transactions.
    /// An unknown user has an empty history.
    async fn history_page(&self, user: &UserId, page: PageRequest) -> StoreResult<HistoryRead>;

    /// At most `limit` rows after the `seq`th row of the user, by user, then `seq`.
    async fn entries_after(
        &self,
        after: Option<(&UserId, u64)>,
        limit: u32,
    ) -> StoreResult<Vec<LedgerEntry>> {
        let entries = Query::of::<LedgerEntry>("entries_after", &["user_id", "seq"]);
        read_all(self, entries.after(after.as_ref()).limit(limit)).await
    }

    /// A page of a user's rows, the newest `seq` first.
    async fn entries_of(&self, user: &UserId, page: PageRequest) -> StoreResult<PageOf<LedgerEntry>> {
        let entries = Query::of::<LedgerEntry>("entries_of", &["seq"]).equal("user_id", Some(user));
        read_page(self, entries.descending(), page).await
    }

    /// A row of a user, by the id of its transaction.
    async fn entry(&self, user: &UserId, id: &TransactionId) -> StoreResult<Option<LedgerEntry>> {
        let entry = Query::of::<LedgerEntry>("entry", &[]).equal("user_id", Some(user)).equal("id", Some(id));
        // A long ledger is read up to that row, in the background.
        Ok(read_all(self, entry.limit(1)).await?.pop())
    }

    /// Sends every fact of an audit as of one moment, in batches of bounded size. Ends early, and
    /// well, when the receiver is gone.
    async fn audit_facts(&self, facts: mpsc::Sender<AuditBatch>) -> StoreResult<()>;
}
