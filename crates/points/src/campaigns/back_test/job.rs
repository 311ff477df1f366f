//! Runs the back-test of a campaign that the back office requested.

use async_trait::async_trait;
use pointbook_store::job::TARGET;
use pointbook_store::{Clock, Context, Job, JobError, Next, Schedule};

use crate::campaigns::back_test::{BACK_TEST_JOB, BackTestState, run_pending_back_test};

const DAY_SECONDS: u32 = 86_400;

pub(crate) struct RunBackTest;

#[async_trait]
impl Job for RunBackTest {
    fn name(&self) -> &'static str {
        BACK_TEST_JOB
    }

    /// A request makes the job due at once. The schedule is for a run that ended early.
    fn schedule(&self) -> Schedule {
        Schedule::Every { seconds: DAY_SECONDS }
    }

    fn is_long(&self) -> bool {
        true
    }

    async fn run(&self, context: &Context, clock: &dyn Clock) -> Result<Next, JobError> {
        if let Some(state) = run_pending_back_test(context, clock).await? {
            let tenant = context.tenant.name();
            if state == BackTestState::Failed {
                tracing::warn!(target: TARGET, %tenant, "back-test of a campaign took too long");
            }
            let state = state.as_str();
            tracing::info!(target: TARGET, %tenant, state, "back-test of a campaign ended");
        }
        Ok(Next::Done)
    }
}
