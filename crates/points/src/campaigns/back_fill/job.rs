//! Runs the back-fill of a campaign that the back office requested.

use async_trait::async_trait;
use pointbook_store::job::TARGET;
use pointbook_store::{Clock, Context, Job, JobError, Next, Schedule};

use crate::campaigns::back_fill::{BACK_FILL_JOB, BackFillState, run_pending_back_fill};

const DAY_SECONDS: u32 = 86_400;

pub(crate) struct RunBackFill;

#[async_trait]
impl Job for RunBackFill {
    fn name(&self) -> &'static str {
        BACK_FILL_JOB
    }

    /// A request makes the job due at once. The schedule is for a run that ended early.
    fn schedule(&self) -> Schedule {
        Schedule::Every { seconds: DAY_SECONDS }
    }

    fn is_long(&self) -> bool {
        true
    }

    async fn run(&self, context: &Context, clock: &dyn Clock) -> Result<Next, JobError> {
        if let Some(row) = run_pending_back_fill(context, clock).await? {
            if row.state == BackFillState::Failed.as_str() {
                tracing::warn!(target: TARGET, tenant = %context.tenant.name(), "back-fill of a campaign took too long");
            }
            let (tenant, state, awards) = (context.tenant.name(), row.state.as_str(), row.given_awards);
            tracing::info!(target: TARGET, %tenant, state, awards, "back-fill of a campaign ended");
        }
        Ok(Next::Done)
    }
}
