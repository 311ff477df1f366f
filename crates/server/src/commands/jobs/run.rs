//! `pointbook jobs run`.

use clap::Args;
use clap::builder::PossibleValuesParser;
use pointbook_app::ports::{JobId, Lease, StoredJob};
use pointbook_app::{Service, StoreResult};
use pointbook_jobs::{JOBS, Next, Run, find};

use super::super::{CommandResult, Context, Failure, Verdict, find_tenant, say};
use super::MAX_PER_TENANT;
use crate::config::Config;
use crate::job_runner::job_runner;
use crate::sources::process_name;

/// The arguments.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The job
    #[arg(value_parser = names())]
    name: String,

    /// The tenant: SLUG or SLUG/ENVIRONMENT
    #[arg(long)]
    tenant: String,
}

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(JOBS.iter().map(|job| job.name()))
}

/// Runs the job until nothing is left to do, each time under a lease: a server that runs it at this moment is not
/// disturbed.
pub(super) async fn run(arguments: Arguments, context: &Context) -> CommandResult {
    let service = context.open_once().await?;
    let served = find_tenant(&service, &arguments.tenant)?;
    let job = find(&arguments.name).ok_or_else(|| Failure::input("there is no such job"))?;
    let runner = job_runner(service.clone(), process_name(), Config::default().jobs.lease_seconds);
    loop {
        match runner.run_now(served.clone(), job).await? {
            Run::NotLeased => {
                let id = JobId::recurring(&served.tenant.id, job.name());
                say_who_runs(stored(&service, &id).await?);
                return Ok(Verdict::FoundWrong);
            }
            Run::Ended(Ok(Next::Again)) => {}
            Run::Ended(Ok(Next::After(_) | Next::Done)) => return Ok(Verdict::Fine),
            Run::Ended(Err(error)) => return Err(Failure::trouble("the job failed", &error)),
            Run::LeaseLost(_) => {
                return Err(Failure::failed("the job ran longer than its lease, or its tenant was removed"));
            }
        }
    }
}

async fn stored(service: &Service, id: &JobId) -> StoreResult<Option<StoredJob>> {
    let jobs = service.database.jobs_of(&id.tenant, MAX_PER_TENANT).await?;
    Ok(jobs.into_iter().find(|job| job.id == *id))
}

fn say_who_runs(job: Option<StoredJob>) {
    match job.and_then(|job| job.lease) {
        Some(Lease { owner, ends_at }) => {
            say(format_args!("pointbook: the process {owner} runs this job, until {ends_at} at the latest"));
        }
        None => say("pointbook: another process ran this job at the same moment"),
    }
}
