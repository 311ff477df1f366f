//! The ledger: rows are added, never changed or removed.

mod activity;
mod audit;
mod batch;
mod changes;
mod days;
mod entries;
mod groups;
mod history;
mod record;
mod seen;
mod told;
mod transaction_row;
mod user_state;

use std::sync::atomic::AtomicBool;

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::ports::{
    ActivityToRecord, AuditBatch, Execution, HistoryRead, LedgerEntry, LedgerStore, NewTransaction, Once,
    RecordActivityOutcome, RecordOutcome,
};
use pointbook_domain::{PageRequest, Timestamp, UserId};
use tokio::sync::mpsc;

pub(crate) use self::groups::Groups;
pub(crate) use self::record::Recorder;
pub(crate) use self::seen::Question;
pub(crate) use self::user_state::{Hold, hold};
use crate::once;
use crate::scoped::IntoScoped;
use crate::store::PostgresTenant;

#[async_trait]
impl LedgerStore for PostgresTenant {
    async fn history_page(&self, user: &UserId, page: PageRequest) -> StoreResult<HistoryRead> {
        self.access
            .read_short("history_page", |database| history::page(database, &self.id, user, page).scoped())
            .await
    }

    async fn record_activity(
        &self,
        activity: ActivityToRecord,
        recorded_at: Timestamp,
        once: Option<Once<RecordActivityOutcome>>,
    ) -> StoreResult<Execution<RecordActivityOutcome>> {
        self.groups.record(activity::Recording::of(activity, recorded_at), once).await
    }

    async fn record_history_once(
        &self,
        transactions: &[NewTransaction],
        recorded_at: Timestamp,
        once: Option<Once<Vec<RecordOutcome>>>,
    ) -> StoreResult<Execution<Vec<RecordOutcome>>> {
        let once = once.as_ref();
        self.access
            .write("record_history", |database| {
                let plan = batch::plan(database, &self.id, transactions, recorded_at);
                once::carry_out(database, &self.id, once, plan).scoped()
            })
            .await
    }

    async fn entries_after(
        &self,
        after: Option<(&UserId, u64)>,
        limit: u32,
    ) -> StoreResult<Vec<LedgerEntry>> {
        let (user, seq) = after.map_or(("", 0), |(user, seq)| (user.as_str(), seq));
        self.access
            .read("entries_after", |database| entries::after(database, &self.id, user, seq, limit).scoped())
            .await
    }

    async fn audit_facts(&self, facts: mpsc::Sender<AuditBatch>) -> StoreResult<()> {
        let (facts, has_sent) = (&facts, &AtomicBool::new(false));
        self.access
            .read_snapshot("audit_facts", |database| {
                audit::send_all(database, &self.id, facts, has_sent).scoped()
            })
            .await
    }
}
