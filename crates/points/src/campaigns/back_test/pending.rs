//! Runs the back-test of a tenant that waits, or whose run ended early.

use std::time::{Duration, Instant};

use async_trait::async_trait;
use pointbook_campaigns::CampaignId;
use pointbook_domain::{PageNumber, PageRequest, PageSize};
use pointbook_store::commands::{Command, CommandError, Facts, Needs};
use pointbook_store::ports::{Query, read_all, read_one};
use pointbook_store::schema::back_tests::EarningRow;
use pointbook_store::schema::rows::{BackTestResultRow, BackTestRow};
use pointbook_store::{Clock, Context, StoreError, StoreResult};

use super::request::{is_pending, is_same};
use super::result::BackTestResult;
use super::run::{BackTest, Progress, run_back_test, version_to_test};
use super::state::BackTestState;

/// The longest run. A test of 500,000 rows takes some seconds.
const MAX_RUN: Duration = Duration::from_hours(4);
/// The pause between two writes of the progress.
const PROGRESS_PAUSE: Duration = Duration::from_secs(1);

/// Runs a back-test. Returns the state after the run. `None` when none waits. A run may be killed at any moment: the next one begins
/// again.
///
/// # Errors
/// When the store fails. If stored data is invalid, the back-test has failed. Otherwise it waits for the next run.
pub async fn run_pending_back_test(
    context: &Context,
    clock: &dyn Clock,
) -> StoreResult<Option<BackTestState>> {
    let data = &*context.tenant.data;
    let query = Query::of::<BackTestRow>("back_tests", &["campaign_id", "version"]);
    let rows: Vec<BackTestRow> = read_all(data, query).await?;
    let Some(row) = rows.into_iter().find(is_pending) else { return Ok(None) };
    let mut run = Run::new(context, clock, row);
    let ended = run.work().await;
    let state = match &ended {
        Ok(Ended::With(_)) => BackTestState::Done,
        Ok(Ended::Cancelled) => return Ok(Some(BackTestState::Cancelled)),
        Ok(Ended::TookTooLong) | Err(StoreError::Corrupt(_)) => BackTestState::Failed,
        Err(_) => return ended.map(|_| None),
    };
    let result = if let Ok(Ended::With(result)) = &ended { Some(result) } else { None };
    let is_kept = run.end(state, result).await?;
    ended.map(|_| Some(if is_kept { state } else { BackTestState::Cancelled }))
}

enum Ended {
    With(BackTestResult),
    /// It was cancelled, or another request replaced it.
    Cancelled,
    TookTooLong,
}

struct Run<'c> {
    context: &'c Context,
    clock: &'c dyn Clock,
    row: BackTestRow,
    began_at: Instant,
    written_at: Instant,
}

impl<'c> Run<'c> {
    fn new(context: &'c Context, clock: &'c dyn Clock, row: BackTestRow) -> Self {
        let began_at = Instant::now();
        Self { context, clock, row, began_at, written_at: began_at }
    }

    async fn work(&mut self) -> StoreResult<Ended> {
        let gone = || StoreError::Corrupt(format!("campaign {}: no such version", self.row.campaign_id));
        let id = CampaignId::new(&self.row.campaign_id).map_err(|_| gone())?;
        let version = version_to_test(&self.context.tenant, &id, Some(self.row.version)).await?;
        let version = version.ok_or_else(gone)?;
        let (from, until) = (self.row.events_from, self.row.events_until);
        self.row.rows_total = Some(self.count_rows().await?);
        (self.row.state, self.row.rows_read) = (BackTestState::Running.as_str().to_owned(), 0);
        if !self.write(None).await? {
            return Ok(Ended::Cancelled);
        }
        let context = self.context;
        let result = run_back_test(context, &BackTest { version, from, until }, self).await?;
        Ok(match result {
            Some(result) => Ended::With(result),
            None if self.began_at.elapsed() >= MAX_RUN => Ended::TookTooLong,
            None => Ended::Cancelled,
        })
    }

    async fn count_rows(&self) -> StoreResult<u64> {
        let page = PageRequest { number: PageNumber::FIRST, size: PageSize::DEFAULT };
        let rows = Query::of::<EarningRow>("back_test_count", &[]);
        Ok(self.context.tenant.data.row_page(&rows, page).await?.total)
    }

    async fn end(&mut self, state: BackTestState, result: Option<&BackTestResult>) -> StoreResult<bool> {
        self.row.ended_at = Some(self.clock.now());
        state.as_str().clone_into(&mut self.row.state);
        let to_json =
            |result| serde_json::to_string(result).map_err(|error| StoreError::Failed(Box::new(error)));
        let result = result.map(to_json).transpose()?;
        self.write(result).await
    }

    /// Writes the row. `false`, without a change, when the back-test was cancelled or replaced.
    async fn write(&mut self, result: Option<String>) -> StoreResult<bool> {
        self.written_at = Instant::now();
        let row = self.row.clone();
        self.context.tenant.data.write(WriteBackTest { row, result }).await
    }

    async fn is_cancelled(&self) -> StoreResult<bool> {
        let BackTestRow { campaign_id, version, .. } = &self.row;
        let query = Query::of::<BackTestRow>("back_test", &[]);
        let query = query.equal("campaign_id", Some(campaign_id.as_str())).equal("version", Some(version));
        let stored: Option<BackTestRow> = read_one(&*self.context.tenant.data, query).await?;
        Ok(!stored.is_some_and(|stored| continues(&stored, &self.row)))
    }
}

#[async_trait]
impl Progress for Run<'_> {
    async fn rows_read(&mut self, rows: u64) -> StoreResult<bool> {
        self.row.rows_read = rows;
        if self.began_at.elapsed() >= MAX_RUN {
            return Ok(false);
        }
        if self.written_at.elapsed() >= PROGRESS_PAUSE {
            return self.write(None).await;
        }
        Ok(!self.is_cancelled().await?)
    }
}

/// Whether the stored back-test is the one of this run, and has not ended.
fn continues(stored: &BackTestRow, run: &BackTestRow) -> bool {
    is_same(stored, run) && stored.requested_at == run.requested_at && is_pending(stored)
}

/// Writes what a run found, unless the back-test was cancelled or replaced. The audit log has no entry of it.
struct WriteBackTest {
    row: BackTestRow,
    /// JSON.
    result: Option<String>,
}

impl Command for WriteBackTest {
    type Outcome = bool;

    const NAME: &'static str = "write_back_test";

    fn needs(&self, needs: &mut Needs) {
        needs.table::<BackTestRow>();
    }

    fn decide(&self, facts: &mut Facts) -> Result<bool, CommandError> {
        let stored = facts.table::<BackTestRow>()?;
        if !stored.iter().any(|stored| continues(stored, &self.row)) {
            return Ok(false);
        }
        facts.put(self.row.clone())?;
        if let Some(result) = &self.result {
            let BackTestRow { campaign_id, version, .. } = &self.row;
            let (campaign_id, version, result) = (campaign_id.clone(), *version, result.clone());
            facts.overwrite(BackTestResultRow { campaign_id, version, result });
        }
        Ok(true)
    }
}
