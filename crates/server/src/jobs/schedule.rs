//! Adds missing recurring jobs to tenants.

use std::collections::HashSet;

use pointbook_domain::TenantId;
use pointbook_store::ports::JobId;
use pointbook_store::{Schedule, StoreResult};

use crate::jobs::Runner;

/// The tenants that have all recurring jobs, as far as this process knows. An instance adds the jobs when it first sees a
/// tenant. The command that adds a tenant does not, because a new job of a new version must reach old tenants too.
#[derive(Default)]
pub(crate) struct Scheduled {
    complete: HashSet<TenantId>,
    has_looked: bool,
}

impl Scheduled {
    /// Schedules missing jobs. When there is a new tenant, it reads the jobs of all tenants in one statement. Otherwise it reads
    /// nothing.
    pub(crate) async fn look(&mut self, runner: &Runner) -> StoreResult<()> {
        let tenants = self.unseen(runner);
        if !tenants.is_empty() {
            let database = &runner.service.database;
            let there: HashSet<JobId> = database.recurring_jobs().await?.into_iter().collect();
            for tenant in tenants {
                for (id, pause) in recurring(runner, &tenant).filter(|(id, _)| !there.contains(id)) {
                    let pause = if self.has_looked { pause } else { 0 };
                    database.schedule_job(&id, runner.service.clock.now().plus_seconds(pause)).await?;
                }
                self.complete.insert(tenant);
            }
        }
        self.has_looked = true;
        Ok(())
    }

    fn unseen(&self, runner: &Runner) -> Vec<TenantId> {
        let directory = runner.service.directory();
        let ids = directory.tenants().iter().map(|served| &served.tenant.id);
        ids.filter(|id| !self.complete.contains(*id)).cloned().collect()
    }
}

/// The recurring jobs, with the pause before the first run of a tenant that is added while this process serves. Such a tenant is
/// empty, or a copy into this database is under way, which work would disturb.
fn recurring<'r>(runner: &'r Runner, tenant: &'r TenantId) -> impl Iterator<Item = (JobId, u32)> {
    runner.jobs.iter().filter_map(|job| match job.schedule() {
        Schedule::Every { seconds } => Some((JobId::recurring(tenant, job.name()), seconds)),
        Schedule::OnDemand => None,
    })
}
