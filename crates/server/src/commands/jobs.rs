//! `pointbook jobs`: the background jobs of tenants.

use std::sync::Arc;

use clap::Subcommand;
use clap::builder::PossibleValuesParser;
use pointbook_domain::{TenantName, Timestamp};
use pointbook_store::ports::{JobId, Lease, StoredJob};
use pointbook_store::{Next, Service};
use serde_json::{Value, json};

use super::{
    CommandResult, Context, DatabaseClient, Failure, find_tenant, find_tenants, print, print_list, say,
    visible,
};
use crate::background::job_runner;
use crate::config::configured_lease_seconds;
use crate::jobs::{JOBS, Run, find};
use crate::sources::process_name;

/// How many jobs of one tenant a command reads, ordered by name, then key.
const MAX_PER_TENANT: u32 = 1_000;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the jobs: when each is due, which process runs it, and how its last run ended
    List {
        /// Only jobs of this tenant: SLUG or SLUG/ENVIRONMENT
        #[arg(long)]
        tenant: Option<String>,

        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Run a job of a tenant now, even if it is not due
    Run {
        /// The job
        #[arg(value_parser = PossibleValuesParser::new(JOBS.iter().map(|job| job.name())))]
        name: String,

        /// The tenant: SLUG or SLUG/ENVIRONMENT
        #[arg(long)]
        tenant: String,
    },
}

pub(crate) async fn run(command: Command, context: &Context) -> CommandResult {
    match command {
        Command::List { tenant, json } => {
            list(&*context.open_as(DatabaseClient::ReadOnly).await?, tenant, json).await
        }
        Command::Run { name, tenant } => {
            run_job(&context.open_as(DatabaseClient::Command).await?, &name, &tenant).await
        }
    }
}

async fn list(service: &Service, tenant: Option<String>, json: bool) -> CommandResult {
    let mut jobs = Vec::new();
    for served in find_tenants(service, tenant.as_deref())? {
        let of_tenant = service.database.jobs_of(&served.tenant.id, MAX_PER_TENANT).await?;
        jobs.extend(of_tenant.into_iter().map(|job| (served.name(), job)));
    }
    if jobs.is_empty() {
        say("no job yet: `pointbook serve` adds the jobs of each tenant when it starts");
    }
    let titles = ["TENANT", "JOB", "NEXT RUN", "LAST SUCCESS", "ATTEMPTS", "RUN BY", "LAST ERROR"];
    print_list(&jobs, json, to_json, titles, to_row)
}

fn to_row((tenant, job): &(TenantName, StoredJob)) -> [String; 7] {
    let dash = || "-".to_owned();
    let key = if job.id.key.is_empty() { String::new() } else { format!(" {}", visible(&job.id.key)) };
    let run_by = |Lease { owner, ends_at }: &Lease| format!("{} until {ends_at}", visible(owner));
    [
        tenant.to_string(),
        format!("{}{key}", visible(&job.id.name)),
        job.next_run_at.to_string(),
        job.last_success_at.map_or_else(|| "never".to_owned(), |at| at.to_string()),
        job.attempts.to_string(),
        job.lease.as_ref().map_or_else(dash, run_by),
        job.last_error.as_deref().map_or_else(dash, visible),
    ]
}

fn to_json((tenant, job): &(TenantName, StoredJob)) -> Value {
    let text = |time: Option<Timestamp>| time.map(|time| time.to_string());
    json!({
        "tenant": tenant.to_string(),
        "job": job.id.name,
        "key": job.id.key,
        "next_run_at": job.next_run_at.to_string(),
        "last_success_at": text(job.last_success_at),
        "attempts": job.attempts,
        "lease_owner": job.lease.as_ref().map(|lease| &lease.owner),
        "lease_ends_at": text(job.lease.as_ref().map(|lease| lease.ends_at)),
        "last_error": job.last_error,
    })
}

/// Runs the job until nothing is left to do. Each run takes a lease, so that no server runs the same job meanwhile.
async fn run_job(service: &Arc<Service>, name: &str, tenant: &str) -> CommandResult {
    let served = find_tenant(service, tenant)?;
    let job = find(name).ok_or_else(|| Failure::input(format!("there is no job {name:?}")))?;
    let runner = job_runner(service.clone(), process_name(), configured_lease_seconds()?);
    let mut runs = 0_u64;
    loop {
        runs += 1;
        match runner.run_now(served.clone(), job).await? {
            Run::NotLeased => {
                return say_who_runs(service, &JobId::recurring(&served.tenant.id, job.name())).await;
            }
            Run::Ended(Ok(Next::Again)) => {}
            Run::Ended(Ok(Next::After(_) | Next::Done)) => {
                return print(format_args!("{name} of {}: done, in runs: {runs}\n", served.name()));
            }
            Run::Ended(Err(error)) => return Err(Failure::trouble("the job failed", &error)),
            Run::LeaseLost(_) => {
                return Err(Failure::failed(
                    "the job lost its lease: it ran longer than the lease, or its tenant was removed",
                ));
            }
        }
    }
}

async fn say_who_runs(service: &Service, id: &JobId) -> CommandResult {
    let jobs = service.database.jobs_of(&id.tenant, MAX_PER_TENANT).await?;
    match jobs.into_iter().find(|job| job.id == *id).and_then(|job| job.lease) {
        Some(Lease { owner, ends_at }) => {
            say(format_args!("pointbook: process {owner} is running this job; its lease ends at {ends_at}"));
        }
        None => say("pointbook: another process ran this job just now"),
    }
    Err(Failure::found_wrong())
}
