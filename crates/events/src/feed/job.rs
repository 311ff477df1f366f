//! Gives positions to events that no reader has read, and removes old ones.

use async_trait::async_trait;
use pointbook_store::job::TARGET;
use pointbook_store::{Clock, Context, Job, JobError, Next, Schedule};

use crate::feed::clean_feed;

const DAY_SECONDS: u32 = 86_400;

pub(crate) struct CleanEvents;

#[async_trait]
impl Job for CleanEvents {
    fn name(&self) -> &'static str {
        "clean-events"
    }

    fn schedule(&self) -> Schedule {
        Schedule::Every { seconds: DAY_SECONDS }
    }

    async fn run(&self, context: &Context, _: &dyn Clock) -> Result<Next, JobError> {
        let cleaned = clean_feed(context).await?;
        if cleaned.removed > 0 {
            let (tenant, removed) = (context.tenant.name(), cleaned.removed);
            tracing::info!(target: TARGET, %tenant, removed, "old events removed");
        }
        Ok(if cleaned.has_more { Next::Again } else { Next::Done })
    }
}
