use std::sync::Arc;

use async_trait::async_trait;
use pointbook_domain::audit::AuditFact;
use pointbook_domain::{
    ActivityType, Day, HistoryRows, PageRequest, Points, SourceId, Timestamp, Transaction, TransactionId,
    UserId,
};
use tokio::sync::mpsc;

use super::rows::{read_all, read_few, read_one, read_page};
use super::{PageOf, RowStore, StoreResult};
use crate::schema::Query;
use crate::schema::rows::LedgerEntry;
use crate::schema::rows_of_service::MovedPoints;

/// The data for a page of history, read at one moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HistoryRead {
    /// The user's balance.
    pub user_points: Points,
    /// The last day of the points that end first. `None` when no lots are kept.
    pub next_expiry_on: Option<Day>,
    /// The number of days on which the user has transactions.
    pub day_count: u64,
    /// All transactions of the page's days.
    pub rows: HistoryRows,
}

/// A transaction to record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTransaction {
    pub user_id: UserId,
    /// The transaction, under a new id.
    pub transaction: Transaction,
}

/// The result of a transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordOutcome {
    /// It stands in the ledger.
    Recorded,
    /// The ledger had the same (user, type, source id) with the same content.
    AlreadyRecorded,
    /// The ledger has the same (user, type, source id) with other content, or it is the business key of an order's points.
    /// Nothing was recorded.
    Conflict,
    /// The balance would be out of range. Nothing was recorded.
    OutOfRange,
    /// The tenant does not have this activity type. Nothing was recorded.
    UnknownType(ActivityType),
}

/// An activity that a back office records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActivityToRecord {
    pub new: NewTransaction,
    /// Whether the request gave the time. Without it, a repeat at any time is the same activity.
    pub has_own_time: bool,
}

/// An activity in the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedActivity {
    /// The transaction as it was recorded first.
    pub transaction: Arc<Transaction>,
    /// The position among the user's rows.
    pub seq: u64,
    /// The user's balance now.
    pub user_points: Points,
}

/// The result of an activity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordActivityOutcome {
    /// The ledger has it now.
    Recorded(RecordedActivity),
    /// The ledger had the same (user, type, source id) with the same content.
    AlreadyRecorded(RecordedActivity),
    /// The ledger has the same (user, type, source id) with other content, or it is the business key of an order's points.
    /// Nothing was recorded.
    Conflict,
    /// It takes more points than the balance has. Nothing was recorded.
    TooFewPoints,
    /// The balance would be out of range. Nothing was recorded.
    OutOfRange,
}

/// Which rows of a user's ledger are listed: those that meet all conditions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LedgerFilter {
    pub kind: Option<ActivityType>,
    /// Only those whose bonuses are more than 0 points.
    pub has_bonus: bool,
    /// This is a part of the source id.
    pub source_part: Option<&'static str>,
    /// Not later than this.
    pub until: Option<Timestamp>,
}

/// Facts of an audit with their users, in the order of [`AuditFact`].
pub type AuditBatch = Vec<(UserId, AuditFact)>;

/// The ledger of one tenant. Rows are only added, never changed or removed.
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

    /// A page of a user's rows, the latest `created_at` first.
    async fn entries_by_time(
        &self,
        user: &UserId,
        filter: &LedgerFilter,
        page: PageRequest,
    ) -> StoreResult<PageOf<LedgerEntry>> {
        let LedgerFilter { kind, has_bonus, source_part, until } = filter;
        let entries = Query::of::<LedgerEntry>("entries_by_time", &["created_at", "id"])
            .equal("user_id", Some(user))
            .equal("type", kind.as_ref())
            .has_part(&["source_id"], *source_part)
            .first_between(&["bonus_points"], has_bonus.then_some([1, i64::MAX]))
            .first_between(&["created_at"], until.map(|until| [Timestamp::MIN, until]));
        read_page(self, entries.descending(), page).await
    }

    /// A page of a user's rows of one type on one day of the history, the newest first.
    async fn entries_of_group(
        &self,
        user: &UserId,
        (day, kind): (Day, &ActivityType),
        page: PageRequest,
    ) -> StoreResult<PageOf<LedgerEntry>> {
        let entries = Query::of::<LedgerEntry>("entries_of_group", &["created_at", "id"])
            .equal("user_id", Some(user))
            .equal("type", Some(kind))
            .between("created_at", [&day.start(), &day.end()]);
        read_page(self, entries.descending(), page).await
    }

    /// What a user's rows of this time, ends included, did to the balance. `None` when they are more than `limit`, so that no page waits for a long
    /// ledger.
    async fn moved_points(
        &self,
        user: &UserId,
        (since, until): (Timestamp, Timestamp),
        limit: u32,
    ) -> StoreResult<Option<Vec<MovedPoints>>> {
        let rows = Query::of::<MovedPoints>("moved_points", &["created_at", "id"])
            .equal("user_id", Some(user))
            .between("created_at", [&since, &until]);
        let rows = read_few(self, rows.limit(limit.saturating_add(1))).await?;
        Ok(Some(rows).filter(|rows: &Vec<_>| rows.len() <= limit as usize))
    }

    /// The first day of a user's history.
    async fn first_day(&self, user: &UserId) -> StoreResult<Option<Day>> {
        let rows = Query::of::<LedgerEntry>("first_day", &["created_at", "id"]).equal("user_id", Some(user));
        let first: Option<LedgerEntry> = read_one(self, rows).await?;
        Ok(first.map(|entry| entry.transaction.activity.created_at.day()))
    }

    /// A row of a user, by the id of its transaction.
    async fn entry(&self, user: &UserId, id: &TransactionId) -> StoreResult<Option<LedgerEntry>> {
        let entry = Query::of::<LedgerEntry>("entry", &[]).equal("user_id", Some(user)).equal("id", Some(id));
        // A long ledger is read up to that row, in the background.
        Ok(read_all(self, entry.limit(1)).await?.pop())
    }

    /// At most `limit` rows of a user with this source id, by `seq`: one for each activity type.
    async fn entries_with_source(
        &self,
        user: &UserId,
        source: &SourceId,
        limit: u32,
    ) -> StoreResult<Vec<LedgerEntry>> {
        let entries = Query::of::<LedgerEntry>("entries_with_source", &["seq"]).equal("user_id", Some(user));
        read_all(self, entries.equal("source_id", Some(source)).limit(limit)).await
    }

    /// Sends every fact of an audit of one moment, in batches of bounded size. Ends early and successfully when the receiver is
    /// gone.
    async fn audit_facts(&self, facts: mpsc::Sender<AuditBatch>) -> StoreResult<()>;
}
