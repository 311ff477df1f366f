//! The ledger: rows are added, never changed or removed.

mod activity;
mod audit;
mod batch;
mod entries;
mod history;
mod record;
mod transaction_row;
mod user_state;

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::ports::{
    ActivityToRecord, AuditBatch, Execution, HistoryRead, LedgerEntry, LedgerStore, NewTransaction, Once,
    RecordActivityOutcome, RecordOutcome,
};
use pointbook_domain::{PageRequest, Timestamp, UserId};
use tokio::sync::mpsc;

use self::history::{MAX_SHORT_ROWS, Page};
pub(crate) use self::record::Recorder;
use crate::once;
use crate::store::SqliteTenant;
use crate::writer::Lane;

#[async_trait]
impl LedgerStore for SqliteTenant {
    async fn history_page(&self, user: &UserId, page: PageRequest) -> StoreResult<HistoryRead> {
        let short = self.access.read("history_page", |database| {
            Page { tenant: &self.id, user, request: page }.read(database, MAX_SHORT_ROWS)
        })?;
        if let Some(read) = short {
            return Ok(read);
        }
        let (tenant, user) = (self.id.clone(), user.clone());
        let read = self.access.read_long("history_page_long", &self.id, move |database| {
            Page { tenant: &tenant, user: &user, request: page }.read(database, u64::MAX)
        });
        Ok(read.await?.unwrap_or_default())
    }

    async fn record_activity(
        &self,
        activity: ActivityToRecord,
        recorded_at: Timestamp,
        once: Option<Once<RecordActivityOutcome>>,
    ) -> StoreResult<Execution<RecordActivityOutcome>> {
        let (tenant, lane) = (self.id.clone(), Lane::user(&self.id, &activity.new.user_id));
        let activity = activity::Recording::of(activity, recorded_at);
        self.access
            .write("record_activity", lane, move |database| {
                once::execute(database, &tenant, once.as_ref(), || {
                    activity::record(database, &tenant, &activity)
                })
            })
            .await
    }

    async fn record_history_once(
        &self,
        transactions: &[NewTransaction],
        recorded_at: Timestamp,
        once: Option<Once<Vec<RecordOutcome>>>,
    ) -> StoreResult<Execution<Vec<RecordOutcome>>> {
        let (tenant, transactions) = (self.id.clone(), transactions.to_vec());
        self.access
            .write("record_history", Lane::tenant(&self.id), move |database| {
                once::execute(database, &tenant, once.as_ref(), || {
                    batch::record(database, &tenant, &transactions, recorded_at)
                })
            })
            .await
    }

    async fn entries_after(
        &self,
        after: Option<(&UserId, u64)>,
        limit: u32,
    ) -> StoreResult<Vec<LedgerEntry>> {
        let tenant = self.id.clone();
        let (user, seq) = after.map_or_else(|| (String::new(), 0), |(user, seq)| (user.to_string(), seq));
        self.access
            .read_in_background("entries_after", Some(&self.id), move |database| {
                entries::after(database, &tenant, &user, seq, limit)
            })
            .await
    }

    async fn audit_facts(&self, facts: mpsc::Sender<AuditBatch>) -> StoreResult<()> {
        let tenant = self.id.clone();
        self.access
            .read_in_background("audit_facts", Some(&self.id), move |database| {
                audit::send_all(database, &tenant, &facts)
            })
            .await
    }
}
