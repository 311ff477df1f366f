//! Giving tenants the recurring jobs that they lack.

use std::collections::HashSet;

use pointbook_app::StoreResult;
use pointbook_app::ports::JobId;
use pointbook_domain::TenantId;

use crate::{Runner, Schedule};

/// The tenants that have all recurring jobs, as far as this process has seen. An instance gives a tenant its jobs when it
/// first sees it, not the command that adds the tenant: a job that a new version brings has to reach the old tenants too.
#[derive(Default)]
pub(crate) struct Scheduled(HashSet<TenantId>);

impl Scheduled {
    /// Schedules what is missing. Reads the jobs of all tenants in one statement when there is a tenant that this
    /// process has not seen, and nothing otherwise.
    pub(crate) async fn look(&mut self, runner: &Runner) -> StoreResult<()> {
        let tenants: Vec<TenantId> = {
            let directory = runner.service.directory();
            let ids = directory.tenants().iter().map(|served| &served.tenant.id);
            ids.filter(|id| !self.0.contains(*id)).cloned().collect()
        };
        if tenants.is_empty() {
            return Ok(());
        }
        let there: HashSet<JobId> = runner.service.database.recurring_jobs().await?.into_iter().collect();
        for tenant in tenants {
            for id in recurring(runner, &tenant).filter(|id| !there.contains(id)) {
                runner.service.database.schedule_job(&id, runner.service.clock.now()).await?;
            }
            self.0.insert(tenant);
        }
        Ok(())
    }
}

fn recurring<'r>(runner: &'r Runner, tenant: &'r TenantId) -> impl Iterator<Item = JobId> {
    let recurring = runner.jobs.iter().filter(|job| matches!(job.schedule(), Schedule::Every { .. }));
    recurring.map(|job| JobId::recurring(tenant, job.name()))
}
