//! Tells in the event feed when campaigns start and end.

use async_trait::async_trait;
use pointbook_store::job::{TARGET, seconds_until};
use pointbook_store::{Clock, Context, Job, JobError, Next, Schedule};

use crate::campaigns::runs::{CAMPAIGN_EVENTS_JOB, RunsTold, tell_runs};

const DAY_SECONDS: u32 = 86_400;

pub(crate) struct TellCampaignEvents;

#[async_trait]
impl Job for TellCampaignEvents {
    fn name(&self) -> &'static str {
        CAMPAIGN_EVENTS_JOB
    }

    /// A change of a campaign makes the job due when it takes over, and a change of the clock at once.
    fn schedule(&self) -> Schedule {
        Schedule::Every { seconds: DAY_SECONDS }
    }

    /// A pause may be shortened by a fifth, so that some runs before the next start or end tell nothing.
    async fn run(&self, context: &Context, _: &dyn Clock) -> Result<Next, JobError> {
        let RunsTold { told, now, next_at } = tell_runs(context).await?;
        if told > 0 {
            tracing::info!(target: TARGET, tenant = %context.tenant.name(), told, "starts and ends of campaigns told");
        }
        let seconds = |next_at| seconds_until(now, next_at).min(DAY_SECONDS);
        Ok(next_at.map_or(Next::Done, |next_at| Next::After(seconds(next_at))))
    }
}
