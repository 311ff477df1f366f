//! Requests and cancels back-fills. A job runs them.

use pointbook_campaigns::CampaignId;
use pointbook_domain::Timestamp;
use pointbook_store::audit_log::ChangeNote;
use pointbook_store::commands::{Command, CommandError, Facts, Needs};
use pointbook_store::ports::Execution;
use pointbook_store::schema::rows::BackFillRow;
use pointbook_store::{Context, StoreResult};
use serde_json::json;

use super::state::BackFillState;
use crate::campaigns::back_test::{BackTestDetail, MAX_BACK_FILL_AWARDS, back_test, version_to_test};

/// The name of the recurring job that runs the back-fills of a tenant, one after the other.
pub const BACK_FILL_JOB: &str = "back-fill";

/// The most back-fills that a tenant keeps. A new one takes the place of the oldest one.
const MAX_BACK_FILLS: usize = 1_000;

/// The result of a request or a cancellation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BackFillOutcome {
    /// The back-fill as it is stored now.
    Stored(BackFillRow),
    /// The tenant has no such campaign or version, or no back-fill to cancel.
    NotFound,
    /// The version has no back-test, or its back-test has no result.
    NotTested,
    /// The back-test found other awards than the request expects.
    Changed,
    /// The back-test found more than [`MAX_BACK_FILL_AWARDS`].
    TooMany,
    /// Another back-fill of the tenant waits or runs. Nothing was changed.
    Running,
}

/// Stores a back-fill that a job will run. An earlier one of the same version is replaced.
struct RequestBackFill {
    /// The row to store, or why the request is refused.
    new: BackFillOutcome,
    /// The real time, for the job.
    real_now: Timestamp,
}

impl Command for RequestBackFill {
    type Outcome = BackFillOutcome;

    const NAME: &'static str = "request_back_fill";

    fn needs(&self, needs: &mut Needs) {
        needs.table::<BackFillRow>();
    }

    fn decide(&self, facts: &mut Facts) -> Result<BackFillOutcome, CommandError> {
        let BackFillOutcome::Stored(new) = &self.new else { return Ok(self.new.clone()) };
        let stored = facts.table::<BackFillRow>()?;
        if stored.iter().any(is_pending) {
            return Ok(BackFillOutcome::Running);
        }
        let is_same = |row: &BackFillRow| (&row.campaign_id, row.version) == (&new.campaign_id, new.version);
        if stored.len() >= MAX_BACK_FILLS && !stored.iter().any(is_same) {
            let oldest = stored.iter().min_by_key(|row| row.requested_at);
            oldest.map(|oldest| facts.remove(oldest)).transpose()?;
        }
        facts.put(new.clone())?;
        facts.make_due(BACK_FILL_JOB, self.real_now);
        facts.note(|| {
            let what =
                json!({ "version": new.version, "awards": new.found_awards, "points": new.found_points });
            ChangeNote::of_event("campaign.back_fill", format!("campaign:{}", new.campaign_id), what)
        });
        Ok(BackFillOutcome::Stored(new.clone()))
    }
}

/// Cancels the back-fill of a campaign that waits or runs. One that has ended stays as it is.
struct CancelBackFill {
    campaign: CampaignId,
    now: Timestamp,
}

impl Command for CancelBackFill {
    type Outcome = BackFillOutcome;

    const NAME: &'static str = "cancel_back_fill";

    fn needs(&self, needs: &mut Needs) {
        needs.table::<BackFillRow>();
    }

    fn decide(&self, facts: &mut Facts) -> Result<BackFillOutcome, CommandError> {
        let mut stored = facts.table::<BackFillRow>()?;
        stored.retain(|row| row.campaign_id == self.campaign.as_str());
        let Some(pending) = stored.iter().find(|row| is_pending(row)) else {
            let newest = stored.into_iter().max_by_key(|row| (row.requested_at, row.version));
            return Ok(newest.map_or(BackFillOutcome::NotFound, BackFillOutcome::Stored));
        };
        let state = BackFillState::Cancelled.as_str().to_owned();
        let cancelled = BackFillRow { state, ended_at: Some(self.now), ..pending.clone() };
        facts.put(cancelled.clone())?;
        facts.note(|| {
            let what = json!({ "version": cancelled.version, "given": cancelled.given_points });
            ChangeNote::of_event("campaign.cancel_back_fill", format!("campaign:{}", self.campaign), what)
        });
        Ok(BackFillOutcome::Stored(cancelled))
    }
}

/// Whether a back-fill waits or runs.
pub(super) fn is_pending(row: &BackFillRow) -> bool {
    BackFillState::is_pending(&row.state)
}

/// Stores a back-fill of a version, and makes its job due. `expected` is the fingerprint of the result that the caller saw. Another
/// result is refused. `None` takes any result.
///
/// # Errors
/// When the store fails: nothing was written, or the key of the request tells.
pub async fn request_back_fill(
    context: &Context<BackFillOutcome>,
    campaign: &CampaignId,
    version: u32,
    expected: Option<&str>,
) -> StoreResult<Execution<BackFillOutcome>> {
    let tenant = &context.tenant;
    let new = match back_test(tenant, campaign, Some(version)).await? {
        Some(tested) => new_row(context, tested, expected),
        None if version_to_test(tenant, campaign, Some(version)).await?.is_some() => {
            BackFillOutcome::NotTested
        }
        None => BackFillOutcome::NotFound,
    };
    let real_now = context.tenant.tenant.clock.to_real(context.now);
    context.execute(RequestBackFill { new, real_now }).await
}

fn new_row<T>(context: &Context<T>, tested: BackTestDetail, expected: Option<&str>) -> BackFillOutcome {
    let BackTestDetail { row, result } = tested;
    let Some(result) = result else { return BackFillOutcome::NotTested };
    if expected.is_some_and(|expected| expected != result.fingerprint) {
        return BackFillOutcome::Changed;
    }
    if result.awards > MAX_BACK_FILL_AWARDS {
        return BackFillOutcome::TooMany;
    }
    BackFillOutcome::Stored(BackFillRow {
        campaign_id: row.campaign_id,
        version: row.version,
        state: BackFillState::Queued.as_str().to_owned(),
        events_from: row.events_from,
        events_until: row.events_until,
        found_awards: result.awards,
        found_points: result.points,
        found_hash: result.fingerprint,
        paid_before: 0,
        given_awards: 0,
        given_points: 0,
        left_out: 0,
        requested_at: context.now,
        requested_by: context.actor.to_string(),
        ended_at: None,
    })
}

/// Cancels the back-fill of a campaign. Its run notices that before the next awards.
///
/// # Errors
/// When the store fails: nothing was written.
pub async fn cancel_back_fill<T>(context: &Context<T>, campaign: CampaignId) -> StoreResult<BackFillOutcome> {
    context.write(CancelBackFill { campaign, now: context.now }).await
}
