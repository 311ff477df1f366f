//! Removes tokens that expired or were revoked long ago, and sessions of operators that expired.

use async_trait::async_trait;
use pointbook_store::job::TARGET;
use pointbook_store::{Clock, Context, Job, JobError, Next, Schedule};

use crate::sessions::clean::clean_operator_sessions;
use crate::tokens::clean::clean_tokens;

const DAY_SECONDS: u32 = 86_400;

pub(crate) struct CleanTokens;

#[async_trait]
impl Job for CleanTokens {
    fn name(&self) -> &'static str {
        "clean-tokens"
    }

    /// Clients do not notice whether an expired token goes a day sooner.
    fn schedule(&self) -> Schedule {
        Schedule::Every { seconds: DAY_SECONDS }
    }

    async fn run(&self, context: &Context, _: &dyn Clock) -> Result<Next, JobError> {
        let cleaned = clean_tokens(context).await?;
        if cleaned.removed > 0 {
            let (tenant, removed) = (context.tenant.name(), cleaned.removed);
            tracing::info!(target: TARGET, %tenant, removed, "old tokens removed");
        }
        let removed = clean_operator_sessions(context).await?;
        if removed > 0 {
            let tenant = context.tenant.name();
            tracing::info!(target: TARGET, %tenant, removed, "old sessions of operators removed");
        }
        Ok(if cleaned.has_more { Next::Again } else { Next::Done })
    }
}
