//! Removes old entries of the audit log.

use async_trait::async_trait;
use pointbook_store::job::TARGET;
use pointbook_store::{Clock, Context, Job, JobError, Next, Schedule};

use crate::audit_log::seal_audit_log;

const DAY_SECONDS: u32 = 86_400;

pub(crate) struct CleanAuditLog;

#[async_trait]
impl Job for CleanAuditLog {
    fn name(&self) -> &'static str {
        "clean-audit-log"
    }

    fn schedule(&self) -> Schedule {
        Schedule::Every { seconds: DAY_SECONDS }
    }

    async fn run(&self, context: &Context, _: &dyn Clock) -> Result<Next, JobError> {
        let sealed = seal_audit_log(context).await?;
        if sealed.removed > 0 {
            let (tenant, removed) = (context.tenant.name(), sealed.removed);
            tracing::info!(target: TARGET, %tenant, removed, "old entries of the audit log removed");
        }
        Ok(if sealed.has_more { Next::Again } else { Next::Done })
    }
}
