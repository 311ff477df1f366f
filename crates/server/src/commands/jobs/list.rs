//! `pointbook jobs list`.

use std::sync::Arc;

use clap::Args;
use pointbook_app::ports::StoredJob;
use pointbook_app::{ServedTenant, Service};
use pointbook_domain::{TenantName, Timestamp};
use serde_json::{Value, json};

use super::super::table::align;
use super::super::{CommandResult, Context, Failure, Verdict, find_tenant, print, visible};
use super::MAX_PER_TENANT;

/// The arguments.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Only the jobs of this tenant: SLUG or SLUG/ENVIRONMENT
    #[arg(long)]
    tenant: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(arguments: Arguments, context: &Context) -> CommandResult {
    let service = context.open_read_only().await?;
    let tenants = tenants(&service, arguments.tenant.as_deref())?;
    let mut jobs = Vec::new();
    for served in tenants {
        let name = served.name();
        let of_tenant = service.database.jobs_of(&served.tenant.id, MAX_PER_TENANT).await?;
        jobs.extend(of_tenant.into_iter().map(|job| (name.clone(), job)));
    }
    let text = if arguments.json {
        let jobs: Vec<Value> = jobs.iter().map(|(tenant, job)| to_json(tenant, job)).collect();
        format!("{:#}\n", Value::from(jobs))
    } else {
        let head = ["TENANT", "JOB", "NEXT RUN", "LAST SUCCESS", "ATTEMPTS", "RUN BY", "LAST ERROR"];
        let rows = jobs.iter().map(|(tenant, job)| to_row(tenant, job));
        align(&std::iter::once(head.map(str::to_owned)).chain(rows).collect::<Vec<_>>())
    };
    print(text)?;
    Ok(Verdict::Fine)
}

fn tenants(service: &Service, named: Option<&str>) -> Result<Vec<Arc<ServedTenant>>, Failure> {
    match named {
        Some(name) => Ok(vec![find_tenant(service, name)?]),
        None => Ok(service.directory().tenants().to_vec()),
    }
}

fn to_row(tenant: &TenantName, job: &StoredJob) -> [String; 7] {
    let dash = || "-".to_owned();
    let key = if job.id.key.is_empty() { String::new() } else { format!(" {}", visible(&job.id.key)) };
    [
        tenant.to_string(),
        format!("{}{key}", visible(&job.id.name)),
        job.next_run_at.to_string(),
        job.last_success_at.map_or_else(|| "never".to_owned(), |at| at.to_string()),
        job.attempts.to_string(),
        job.lease
            .as_ref()
            .map_or_else(dash, |lease| format!("{} until {}", visible(&lease.owner), lease.ends_at)),
        job.last_error.as_deref().map_or_else(dash, visible),
    ]
}

fn to_json(tenant: &TenantName, job: &StoredJob) -> Value {
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
