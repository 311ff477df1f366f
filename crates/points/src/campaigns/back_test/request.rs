//! Requests and cancels back-tests. A job runs them.

use pointbook_campaigns::CampaignId;
use pointbook_domain::Timestamp;
use pointbook_store::audit_log::ChangeNote;
use pointbook_store::commands::{Command, CommandError, Facts, Needs};
use pointbook_store::ports::Execution;
use pointbook_store::schema::rows::BackTestRow;
use pointbook_store::{Context, StoreResult};
use serde_json::json;

use super::run::version_to_test;
use super::state::BackTestState;

/// The name of the recurring job that runs the back-tests of a tenant, one after the other.
pub const BACK_TEST_JOB: &str = "back-test";

/// The most back-tests that a tenant keeps. A new one takes the place of the one that ended first.
const MAX_BACK_TESTS: usize = 1_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackTestRequest {
    pub campaign: CampaignId,
    /// `None` for the newest version.
    pub version: Option<u32>,
    /// Events from this time on count.
    pub from: Timestamp,
    /// Events before this time count.
    pub until: Timestamp,
}

/// The result of a request or a cancellation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BackTestOutcome {
    /// The back-test as it is stored now.
    Stored(BackTestRow),
    /// The tenant has no such campaign, version or back-test.
    NotFound,
    /// Another back-test of the tenant waits or runs. Nothing was changed.
    Running,
}

/// Stores a back-test that a job will run. An earlier one of the same version is replaced.
struct RequestBackTest {
    /// `None` when the tenant has no such version.
    new: Option<BackTestRow>,
    /// The real time, for the job.
    real_now: Timestamp,
}

impl Command for RequestBackTest {
    type Outcome = BackTestOutcome;

    const NAME: &'static str = "request_back_test";

    fn needs(&self, needs: &mut Needs) {
        needs.table::<BackTestRow>();
    }

    fn decide(&self, facts: &mut Facts) -> Result<BackTestOutcome, CommandError> {
        let Some(new) = &self.new else { return Ok(BackTestOutcome::NotFound) };
        let stored = facts.table::<BackTestRow>()?;
        if stored.iter().any(is_pending) {
            return Ok(BackTestOutcome::Running);
        }
        if stored.len() >= MAX_BACK_TESTS && !stored.iter().any(|row| is_same(row, new)) {
            let oldest = stored.iter().min_by_key(|row| row.requested_at);
            oldest.map(|oldest| facts.remove(oldest)).transpose()?;
        }
        facts.put(new.clone())?;
        facts.make_due(BACK_TEST_JOB, self.real_now);
        facts.note(|| {
            let window = (new.events_from.to_string(), new.events_until.to_string());
            let what = json!({ "version": new.version, "from": window.0, "until": window.1 });
            ChangeNote::of_event("campaign.back_test", format!("campaign:{}", new.campaign_id), what)
        });
        Ok(BackTestOutcome::Stored(new.clone()))
    }
}

/// Cancels the back-test of a campaign that waits or runs. One that has ended stays as it is.
struct CancelBackTest {
    campaign: CampaignId,
    now: Timestamp,
}

impl Command for CancelBackTest {
    type Outcome = BackTestOutcome;

    const NAME: &'static str = "cancel_back_test";

    fn needs(&self, needs: &mut Needs) {
        needs.table::<BackTestRow>();
    }

    fn decide(&self, facts: &mut Facts) -> Result<BackTestOutcome, CommandError> {
        let mut stored = facts.table::<BackTestRow>()?;
        stored.retain(|row| row.campaign_id == self.campaign.as_str());
        if let Some(pending) = stored.iter().find(|row| is_pending(row)) {
            let state = BackTestState::Cancelled.as_str().to_owned();
            let cancelled = BackTestRow { state, ended_at: Some(self.now), ..pending.clone() };
            facts.put(cancelled.clone())?;
            facts.note(|| {
                let (object, what) =
                    (format!("campaign:{}", self.campaign), json!({ "version": cancelled.version }));
                ChangeNote::of_event("campaign.cancel_back_test", object, what)
            });
            return Ok(BackTestOutcome::Stored(cancelled));
        }
        let newest = stored.into_iter().max_by_key(|row| (row.requested_at, row.version));
        Ok(newest.map_or(BackTestOutcome::NotFound, BackTestOutcome::Stored))
    }
}

/// Whether a back-test waits or runs.
pub(super) fn is_pending(row: &BackTestRow) -> bool {
    BackTestState::is_pending(&row.state)
}

/// Whether both are of the same version.
pub(super) fn is_same(one: &BackTestRow, other: &BackTestRow) -> bool {
    (&one.campaign_id, one.version) == (&other.campaign_id, other.version)
}

/// Stores a back-test, and makes its job due.
///
/// # Errors
/// When the store fails: nothing was written, or the key of the request tells.
pub async fn request_back_test(
    context: &Context<BackTestOutcome>,
    request: BackTestRequest,
) -> StoreResult<Execution<BackTestOutcome>> {
    let BackTestRequest { campaign, version, from, until } = request;
    let found = version_to_test(&context.tenant, &campaign, version).await?;
    let new = found.map(|found| BackTestRow {
        campaign_id: campaign.to_string(),
        version: found.version,
        state: BackTestState::Queued.as_str().to_owned(),
        events_from: from,
        events_until: until,
        rows_read: 0,
        rows_total: None,
        requested_at: context.now,
        requested_by: context.actor.to_string(),
        ended_at: None,
    });
    let real_now = context.tenant.tenant.clock.to_real(context.now);
    context.execute(RequestBackTest { new, real_now }).await
}

/// Cancels the back-test of a campaign. Its run notices that after the page that it works on.
///
/// # Errors
/// When the store fails: nothing was written.
pub async fn cancel_back_test<T>(context: &Context<T>, campaign: CampaignId) -> StoreResult<BackTestOutcome> {
    context.write(CancelBackTest { campaign, now: context.now }).await
}
