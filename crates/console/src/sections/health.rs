//! How the service does its work for the tenant: jobs, webhooks that fail, figures, database.
//!
//! Readers of the audit log see this page: what jobs change, and each change of the state of a webhook, is in the log already.

use maud::{Markup, html};
use pointbook_access::console_kit::components::{empty, facts};
use pointbook_access::console_kit::lists::{Column, list_table};
use pointbook_access::console_kit::sheet::Sheet;
use pointbook_access::console_kit::{Access, PageSpec, Visit, page};
use pointbook_domain::{Scope, Timestamp, Webhook};
use pointbook_events::webhooks::{list_failing_webhooks, shown as webhooks};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, moment, number};
use pointbook_reports::for_role::run_named;
use pointbook_store::ports::StoredJob;

pub(super) static PAGES: [PageSpec; 1] = [
    page!("console.health", GET "/health", Access::Scope(Scope::AuditRead), ["manage.audit-log.list"], show),
];

const SECTION: &str = "/health";

/// More jobs than one tenant has: each recurring job has one row, and each back-test in progress.
const MAX_JOBS: u32 = 200;

/// A job is late when it has been due for a minute, as in the metrics.
const LATE_MICROS: i64 = 60_000_000;

/// What became of a job, or will.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum JobState {
    Running,
    Failing,
    Late,
    Waiting,
}

impl JobState {
    /// The times of jobs are real, also those of a tenant with a virtual clock.
    fn of(job: &StoredJob, real_now: Timestamp) -> Self {
        let is_running = job.lease.as_ref().is_some_and(|lease| real_now < lease.ends_at);
        if is_running {
            Self::Running
        } else if job.last_error.is_some() {
            Self::Failing
        } else if job.next_run_at.as_micros().saturating_add(LATE_MICROS) < real_now.as_micros() {
            Self::Late
        } else {
            Self::Waiting
        }
    }

    fn needs_help(self) -> bool {
        matches!(self, Self::Failing | Self::Late)
    }

    const fn text(self) -> &'static str {
        match self {
            Self::Running => "job-running",
            Self::Failing => "job-failing",
            Self::Late => "job-late",
            Self::Waiting => "job-waiting",
        }
    }
}

async fn jobs(visit: &Visit<'_>) -> Result<Vec<(StoredJob, JobState)>, PageError> {
    let service = &visit.shared.service;
    let real_now = service.clock.now();
    let jobs = service.database.jobs_of(&visit.served.tenant.id, MAX_JOBS).await?;
    Ok(jobs
        .into_iter()
        .map(|job| {
            let state = JobState::of(&job, real_now);
            (job, state)
        })
        .collect())
}

/// What the overview says when something needs help, for roles that may see this page.
pub(super) async fn warnings(visit: &Visit<'_>) -> Result<Markup, PageError> {
    if !visit.signed_in()?.operator.role.has(Scope::AuditRead) {
        return Ok(html! {});
    }
    let webhooks = list_failing_webhooks(&*visit.served.data).await?.len();
    let jobs = jobs(visit).await?.iter().filter(|(_, state)| state.needs_help()).count();
    let line = |count: usize, text: &str| {
        let shown = number(i64::try_from(count).unwrap_or(i64::MAX), visit.words);
        html! { @if count > 0 { p .waiting { a href=(visit.path(SECTION)) { (visit.words.with(text, "count", shown)) } } } }
    };
    Ok(html! { (line(webhooks, "health-webhooks-failing")) (line(jobs, "health-jobs-late")) })
}

async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    let (words, served) = (visit.words, &visit.served);
    let (jobs, failing) = (jobs(visit).await?, list_failing_webhooks(&*served.data).await?);
    let is_complete = run_named(visit, "points", None, None).await?.is_complete;
    let real_now = visit.shared.service.clock.now();
    let yes_no = |is_good: bool| html! { span .badge .good[is_good] .bad[!is_good] { (words.say(if is_good { "health-yes" } else { "health-no" })) } };
    let content = html! {
        (facts(visit, [
            ("health-database", yes_no(!served.health.is_away())),
            ("health-writes", yes_no(served.health.takes_writes())),
            ("health-figures", yes_no(is_complete)),
            ("health-clock", yes_no(served.tenant.created_at <= real_now)),
            ("health-time", moment(real_now, served, words)),
            ("health-version", html! { "pointbook " (env!("CARGO_PKG_VERSION")) }),
        ]))
        h2 { (words.say("health-webhooks")) }
        (webhook_list(visit, &failing)?)
        h2 { (words.say("health-jobs")) }
        p { (words.say("health-jobs-hint")) }
        @if jobs.is_empty() { (empty(visit, "health-no-jobs")) } @else { (job_table(visit, &jobs)) }
    };
    Ok(Sheet::new(visit, SECTION, words.say("health")).respond(&content))
}

/// The webhooks that fail. Their pages need a scope that auditors lack.
fn webhook_list(visit: &Visit<'_>, failing: &[Webhook]) -> Result<Markup, PageError> {
    let may_open = visit.signed_in()?.operator.role.has(Scope::WebhooksWrite);
    let rows: Vec<_> = failing
        .iter()
        .map(|webhook| {
            let url = html! {
                @if may_open { a href=(webhooks::address(visit, &webhook.id)) { (webhook.url) } } @else { (webhook.url) }
            };
            vec![url, webhooks::state(visit, webhook)]
        })
        .collect();
    if rows.is_empty() {
        return Ok(empty(visit, "health-webhooks-fine"));
    }
    let columns = [Column::text("webhook-url"), Column::text("webhook-state")];
    Ok(list_table(visit, &visit.words.say("health-webhooks"), &columns, &rows))
}

fn job_table(visit: &Visit<'_>, jobs: &[(StoredJob, JobState)]) -> Markup {
    let (words, served) = (visit.words, &visit.served);
    let row = |(job, state): &(StoredJob, JobState)| {
        let does = words.say(&format!("job-{}", job.id.name.replace('_', "-")));
        vec![
            html! { (does) br; code .quiet { (job.id.name) @if !job.id.key.is_empty() { " " (job.id.key) } } },
            html! { span .badge[*state != JobState::Waiting] .good[*state == JobState::Running] .bad[state.needs_help()] .quiet[*state == JobState::Waiting] { (words.say(state.text())) } },
            moment(job.next_run_at, served, words),
            html! { @if let Some(at) = job.last_success_at { (moment(at, served, words)) } @else { (words.say("job-never")) } },
        ]
    };
    let rows: Vec<_> = jobs.iter().map(row).collect();
    let columns = [
        Column::text("job-name"),
        Column::text("job-state"),
        Column::text("job-next").rank(2),
        Column::text("job-last").rank(3),
    ];
    list_table(visit, &words.say("health-jobs"), &columns, &rows)
}

#[cfg(test)]
mod tests {
    use pointbook_domain::TenantId;
    use pointbook_store::ports::{JobId, Lease};

    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000).unwrap()
    }

    fn state(next: i64, lease_ends: Option<i64>, error: Option<&str>) -> JobState {
        let lease = lease_ends.map(|ends| Lease { owner: "p".to_owned(), ends_at: at(ends) });
        let job = StoredJob {
            id: JobId::recurring(&TenantId::new("t").unwrap(), "clean-tokens"),
            next_run_at: at(next),
            attempts: 0,
            lease,
            last_error: error.map(str::to_owned),
            last_success_at: None,
        };
        JobState::of(&job, at(1_000))
    }

    #[test]
    fn a_job_needs_help_when_it_failed_or_is_due_for_a_minute() {
        assert_eq!(state(2_000, None, None), JobState::Waiting);
        assert_eq!(state(940, None, None), JobState::Waiting);
        assert_eq!(state(939, None, None), JobState::Late);
        assert_eq!(state(939, Some(1_001), None), JobState::Running);
        assert_eq!(state(939, Some(1_000), None), JobState::Late, "the lease of a killed process");
        assert_eq!(state(2_000, None, Some("no")), JobState::Failing);
    }
}
