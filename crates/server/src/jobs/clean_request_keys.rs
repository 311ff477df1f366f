//! Removes the keys of old requests.

use async_trait::async_trait;
use pointbook_store::clean_request_keys::clean_request_keys;
use pointbook_store::job::{TARGET, seconds_until};
use pointbook_store::{Clock, Context, Job, JobError, Next, Schedule};

/// A key is removed at most this long after it became old.
const HOUR_SECONDS: u32 = 3_600;

pub(super) struct CleanRequestKeys;

#[async_trait]
impl Job for CleanRequestKeys {
    fn name(&self) -> &'static str {
        "clean-request-keys"
    }

    fn schedule(&self) -> Schedule {
        Schedule::Every { seconds: HOUR_SECONDS }
    }

    /// A tenant with young keys or without keys waits until a key can be old: at most a day.
    async fn run(&self, context: &Context, _: &dyn Clock) -> Result<Next, JobError> {
        let cleaned = clean_request_keys(context).await?;
        if cleaned.removed > 0 {
            let (tenant, removed) = (context.tenant.name(), cleaned.removed);
            tracing::info!(target: TARGET, %tenant, removed, "old request keys removed");
        }
        Ok(cleaned
            .next_old_at
            .map_or(Next::Again, |at| Next::After(seconds_until(context.real_now(), at).max(HOUR_SECONDS))))
    }
}
