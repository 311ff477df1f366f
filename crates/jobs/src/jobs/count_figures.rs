//! Counts what is new in the ledger for the figures of reports.

use async_trait::async_trait;
use pointbook_app::{Clock, Context};
use pointbook_figures::{FIGURES_JOB, catch_up};

use crate::{Job, JobError, Next, Schedule};

const HOUR_SECONDS: u32 = 3_600;

/// Some 100,000 rows, well below the time of a lease.
const STEPS_PER_RUN: usize = 20;

pub(super) struct CountFigures;

#[async_trait]
impl Job for CountFigures {
    fn name(&self) -> &'static str {
        FIGURES_JOB
    }

    /// A reader of a report counts what is new too. So the figures of a tenant whose reports are read are newer than an hour.
    fn schedule(&self) -> Schedule {
        Schedule::Every { seconds: HOUR_SECONDS }
    }

    async fn run(&self, context: &Context, _: &dyn Clock) -> Result<Next, JobError> {
        let is_done = catch_up(context, STEPS_PER_RUN).await?;
        Ok(if is_done { Next::Done } else { Next::Again })
    }
}
