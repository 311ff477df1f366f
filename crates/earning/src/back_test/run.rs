//! Runs a back-test from its first row to its result.

use std::sync::Arc;

use async_trait::async_trait;
use futures_util::future::join;
use pointbook_app::background::in_background;
use pointbook_app::ports::{Query, TenantData, read_all};
use pointbook_app::rules_cache::version_of;
use pointbook_app::{Context, ServedTenant, StoreError, StoreResult};
use pointbook_campaigns::{CampaignId, CampaignVersion};
use pointbook_domain::Timestamp;
use pointbook_schema::rows::CampaignVersionRow;

use super::reader::Reader;
use super::result::BackTestResult;
use super::simulation::Simulation;
use super::tally::{Difference, Tally};
use crate::current_rules;

/// A question: what would this version have given for the events from `from` on and before `until`?
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackTest {
    /// It counts as active from the beginning of time. The bounds of its definition hold.
    pub version: CampaignVersion,
    pub from: Timestamp,
    pub until: Timestamp,
}

/// Follows a back-test. A closure that takes the number of rows is one, and never ends the test.
#[async_trait]
pub trait Progress: Send {
    /// Gets the number of ledger rows so far, after each page. `false` ends the test without a result.
    async fn rows_read(&mut self, rows: u64) -> StoreResult<bool>;
}

#[async_trait]
impl<F: FnMut(u64) + Send> Progress for F {
    async fn rows_read(&mut self, rows: u64) -> StoreResult<bool> {
        self(rows);
        Ok(true)
    }
}

/// The version of a campaign with this number, or the newest one. `None` when the tenant has no such version.
///
/// # Errors
/// When the store fails, or the stored definition cannot be read.
pub async fn version_to_test(
    tenant: &ServedTenant,
    id: &CampaignId,
    number: Option<u32>,
) -> StoreResult<Option<CampaignVersion>> {
    let query = Query::of::<CampaignVersionRow>("campaign", &["version"]);
    let query = query.equal("campaign_id", Some(id.as_str())).equal("version", number.as_ref());
    let rows: Vec<CampaignVersionRow> = read_all(&*tenant.data, query).await?;
    rows.last().map(version_of).transpose()
}

/// Runs a back-test. It writes nothing. `None` when `progress` ended it.
///
/// The next page is read while the rules decide about this one, so a test uses up to two processors.
///
/// # Errors
/// When the store fails.
pub async fn run_back_test<T>(
    context: &Context<T>,
    test: &BackTest,
    progress: &mut dyn Progress,
) -> StoreResult<Option<BackTestResult>> {
    let data = context.tenant.data.clone();
    let mut simulation = Simulation::new(&current_rules(context).await?, test);
    let mut reader = Reader::new(data.clone());
    let (mut page, mut rows) = (reader.next().await?, 0);
    while let Some(current) = page {
        rows += current.rows.len() as u64;
        let decide = in_background(move || {
            simulation.page(&current);
            simulation
        });
        let (next, decided) = join(reader.next(), decide).await;
        (page, simulation) = (next?, decided?);
        if !progress.rows_read(rows).await? {
            return Ok(None);
        }
    }
    let tally = in_background(move || simulation.finish()).await?;
    with_ids(&data, tally).await.map(Some)
}

/// The result with the ids of the transactions that differ.
async fn with_ids(data: &Arc<dyn TenantData>, tally: Tally) -> StoreResult<BackTestResult> {
    let mut ids = Vec::new();
    for Difference { user_id, seq, .. } in tally.differences() {
        let rows = data.entries_after(Some((user_id, seq - 1)), 1).await?;
        let row = rows.first().filter(|row| row.user_id == *user_id && row.seq == *seq);
        let row = row.ok_or_else(|| StoreError::Corrupt(format!("user {user_id}: row {seq} is gone")))?;
        ids.push(row.transaction.id.to_string());
    }
    Ok(tally.into_result(ids))
}
