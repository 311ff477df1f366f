//! Requests and cancels back-fills. A job runs them.

use pointbook_app::commands::{Command, CommandError, Facts, Needs};
use pointbook_app::ports::Execution;
use pointbook_app::{Context, StoreResult};
use pointbook_audit_log::ChangeNote;
use pointbook_campaigns::CampaignId;
use pointbook_domain::Timestamp;
use pointbook_schema::BACK_FILLS;
use pointbook_schema::back_tests::BackFillRow;
use serde_json::json;

use super::state::BackFillState;
use crate::back_test::{BackTestDetail, MAX_BACK_FILL_AWARDS, back_test};

/// The name of the recurring job that runs the back-fills of a tenant, one after the other.
pub const BACK_FILL_JOB: &str = "back-fill";

/// The result of a request or a cancellation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BackFillOutcome {
    /// The back-fill as it is stored now.
    Stored(BackFillRow),
    /// The tenant has no back-test of this campaign and version, or no back-fill to cancel.
    NotFound,
    /// The back-test has no result.
    NotTested,
    /// The back-test found more than [`MAX_BACK_FILL_AWARDS`].
    TooMany,
    /// Another back-fill of the tenant waits or runs. Nothing was changed.
    Running,
}

/// Stores a back-fill that a job will run. An earlier one of the same version is replaced.
struct RequestBackFill {
    /// The row, or why the request is refused.
    new: Result<BackFillRow, BackFillOutcome>,
    /// The real time, for the job.
    real_now: Timestamp,
}

impl Command for RequestBackFill {
    type Outcome = BackFillOutcome;

    const NAME: &'static str = "request_back_fill";

    fn needs(&self, needs: &mut Needs) {
        needs.table(&BACK_FILLS);
    }

    fn decide(&self, facts: &mut Facts) -> Result<BackFillOutcome, CommandError> {
        let new = match &self.new {
            Ok(new) => new,
            Err(refusal) => return Ok(refusal.clone()),
        };
        if facts.rows::<BackFillRow>()?.iter().any(is_pending) {
            return Ok(BackFillOutcome::Running);
        }
        facts.write_row(new)?;
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
        needs.table(&BACK_FILLS);
    }

    fn decide(&self, facts: &mut Facts) -> Result<BackFillOutcome, CommandError> {
        let mut stored = facts.rows::<BackFillRow>()?;
        stored.retain(|row| row.campaign_id == self.campaign.as_str());
        let Some(pending) = stored.iter().find(|row| is_pending(row)) else {
            let newest = stored.into_iter().max_by_key(|row| (row.requested_at, row.version));
            return Ok(newest.map_or(BackFillOutcome::NotFound, BackFillOutcome::Stored));
        };
        let state = BackFillState::Cancelled.as_str().to_owned();
        let cancelled = BackFillRow { state, ended_at: Some(self.now), ..pending.clone() };
        facts.write_row(&cancelled)?;
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

/// Stores a back-fill of a version, or of the one that was back-tested last, and makes its job due.
///
/// # Errors
/// When the store fails: nothing was written, or the key of the request tells.
pub async fn request_back_fill(
    context: &Context<BackFillOutcome>,
    campaign: &CampaignId,
    version: Option<u32>,
) -> StoreResult<Execution<BackFillOutcome>> {
    let new = match back_test(&context.tenant, campaign, version).await? {
        Some(tested) => new_row(context, tested),
        None => Err(BackFillOutcome::NotFound),
    };
    let real_now = context.tenant.tenant.clock.to_real(context.now);
    context.execute(RequestBackFill { new, real_now }).await
}

fn new_row<T>(context: &Context<T>, tested: BackTestDetail) -> Result<BackFillRow, BackFillOutcome> {
    let BackTestDetail { row, result } = tested;
    let result = result.ok_or(BackFillOutcome::NotTested)?;
    if result.awards > MAX_BACK_FILL_AWARDS {
        return Err(BackFillOutcome::TooMany);
    }
    Ok(BackFillRow {
        campaign_id: row.campaign_id,
        version: row.version,
        state: BackFillState::Queued.as_str().to_owned(),
        events_from: row.events_from,
        events_until: row.events_until,
        found_awards: result.awards,
        found_points: result.points,
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
