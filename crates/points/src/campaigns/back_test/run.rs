//! Runs a back-test from its first row to its result.

use async_trait::async_trait;
use futures_util::future::join;
use pointbook_campaigns::{CampaignId, CampaignVersion};
use pointbook_domain::Timestamp;
use pointbook_store::background::in_background;
use pointbook_store::ports::{Query, read_all};
use pointbook_store::schema::rows::CampaignVersionRow;
use pointbook_store::{Context, ServedTenant, StoreResult};

use super::lacking::Lacking;
use super::reader::Reader;
use super::result::BackTestResult;
use super::simulation::Simulation;
use super::tally::Tally;
use crate::campaigns::rules_cache::version_of;
use crate::earning::bonuses::current_rules;

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
/// # Errors
/// When the store fails.
pub async fn run_back_test<T>(
    context: &Context<T>,
    test: &BackTest,
    progress: &mut dyn Progress,
) -> StoreResult<Option<BackTestResult>> {
    let simulation = Simulation::new(&current_rules(context).await?, test);
    Ok(simulate(context, simulation, progress).await?.map(Tally::into_result))
}

/// Runs a back-test, and collects what a back-fill has to give. As [`run_back_test`].
pub(crate) async fn run_for_back_fill<T>(
    context: &Context<T>,
    test: &BackTest,
    progress: &mut dyn Progress,
) -> StoreResult<Option<(BackTestResult, Lacking)>> {
    let simulation = Simulation::new(&current_rules(context).await?, test).collecting();
    let Some(mut tally) = simulate(context, simulation, progress).await? else { return Ok(None) };
    let lacking = tally.lacking.take().unwrap_or_default();
    Ok(Some((tally.into_result(), lacking)))
}

/// The next page is read while the rules decide about this one, so a test uses up to two processors.
async fn simulate<T>(
    context: &Context<T>,
    mut simulation: Simulation,
    progress: &mut dyn Progress,
) -> StoreResult<Option<Tally>> {
    let mut reader = Reader::new(context.tenant.data.clone(), simulation.campaign_id().clone());
    let (mut page, mut rows) = (reader.next().await?, 0);
    while let Some(current) = page {
        rows += current.rows.len() as u64;
        let decide = in_background(move || {
            simulation.page(&current);
            simulation
        });
        let (next, decided) = join(reader.next(), decide).await;
        (page, simulation) = (next?, decided?);
        simulation.check_size()?;
        if !progress.rows_read(rows).await? {
            return Ok(None);
        }
    }
    in_background(move || simulation.finish()).await.map(Some)
}
