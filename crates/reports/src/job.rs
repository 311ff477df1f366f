//! Counts what is new in the ledger for the figures of reports.

use std::time::Duration;

use async_trait::async_trait;
use pointbook_store::{Clock, Context, Job, JobError, Next, Schedule};

use crate::{FIGURES_JOB, catch_up, has_figures};

const HOUR_SECONDS: u32 = 3_600;

/// How long one run counts: well below the time of a lease.
const PATIENCE: Duration = Duration::from_secs(5);

pub(crate) struct CountFigures;

#[async_trait]
impl Job for CountFigures {
    fn name(&self) -> &'static str {
        FIGURES_JOB
    }

    /// The first reader of a report begins the figures of a tenant and makes the job due. Each reader counts too.
    fn schedule(&self) -> Schedule {
        Schedule::Every { seconds: HOUR_SECONDS }
    }

    async fn run(&self, context: &Context, _: &dyn Clock) -> Result<Next, JobError> {
        // A tenant that nothing asks for figures costs nothing, and a copy that fills the tenant is not disturbed.
        let is_done = !has_figures(context).await? || catch_up(context, PATIENCE).await?;
        Ok(if is_done { Next::Done } else { Next::Again })
    }
}
