//! Background jobs, run as an instance runs them.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use pointbook_server::jobs::{JOBS, Run, Runner};
use pointbook_store::ports::{JobId, StoredJob};
use pointbook_store::{Actor, Clock, Context, Job, JobError, Next, Schedule, StoreError};
use serde_json::json;

use crate::harness::TestServer;

/// A job that fails or never ends.
struct Bad {
    hangs: bool,
}

#[async_trait]
impl Job for Bad {
    fn name(&self) -> &'static str {
        if self.hangs { "hanging" } else { "failing" }
    }

    fn schedule(&self) -> Schedule {
        Schedule::Every { seconds: 60 }
    }

    async fn run(&self, context: &Context, _: &dyn Clock) -> Result<Next, JobError> {
        assert_eq!(context.actor, Actor::Job(self.name()));
        if self.hangs {
            pending::<()>().await;
        }
        Err(JobError::Store(StoreError::Failed("host db-7 refused".into())))
    }
}

static HANGING: Bad = Bad { hangs: true };
static FAILING: Bad = Bad { hangs: false };

async fn jobs_of_production(server: &TestServer) -> Vec<StoredJob> {
    server.service().database.jobs_of(&server.production().tenant.id, 100).await.unwrap()
}

#[tokio::test]
async fn an_instance_gives_every_tenant_its_jobs_and_runs_them() {
    let server = TestServer::with_sample().await;
    let order = json!({"product_id": "nothing"});
    let (path, token) = ("/v1/store/orders", server.token().to_owned());
    let answer = server.post(path, &token).body(order.to_string()).key("k").send().await;
    assert_eq!((answer.status.as_u16(), server.count_request_keys().await), (422, 1));
    server.advance_seconds(8 * 24 * 3_600);
    let runner = Arc::new(server.job_runner());
    let serving = tokio::spawn(pointbook_server::jobs::serve(runner, Duration::from_millis(5)));
    let is_done = |jobs: &[StoredJob]| {
        jobs.len() == JOBS.len()
            && jobs.iter().all(|job| job.last_success_at.is_some() && job.lease.is_none())
    };
    while !is_done(&jobs_of_production(&server).await) {
        tokio::task::yield_now().await;
    }
    serving.abort();
    assert_eq!(server.count_request_keys().await, 0);
    let recurring = server.service().database.recurring_jobs().await.unwrap();
    assert_eq!(recurring.len(), JOBS.len() * server.service().directory().tenants().len());
    let now = server.now();
    let names: Vec<_> = JOBS.iter().map(|job| job.name()).collect();
    let due = server.service().database.due_jobs(&names, now, 100).await;
    assert!(due.unwrap().iter().all(|id| id.tenant != server.production().tenant.id));
}

/// If the job ran every hour, a tenant without requests would cost twenty-four statements a day.
#[tokio::test]
async fn job_of_a_tenant_without_keys_is_next_due_after_a_day() {
    let server = TestServer::with_sample().await;
    assert_eq!(server.clean_request_keys().await, 0);
    let [job] = &jobs_of_production(&server).await[..] else { panic!("not one job") };
    let pause = (job.next_run_at.as_micros() - server.now().as_micros()) / 1_000_000;
    assert!((69_120..=86_400).contains(&pause), "{pause}");
}

#[tokio::test]
async fn a_job_that_fails_says_why_and_is_tried_again_later() {
    let server = TestServer::with_sample().await;
    for attempt in 1..=2 {
        let run = server.job_runner().run_now(server.production(), &FAILING).await.unwrap();
        assert!(matches!(run, Run::Ended(Err(JobError::Store(_)))), "{run:?}");
        let [job] = &jobs_of_production(&server).await[..] else { panic!("not one job") };
        let error = job.last_error.as_deref();
        assert_eq!((job.attempts, error), (attempt, Some("the database failed; the log says why")));
        let pause = (job.next_run_at.as_micros() - server.now().as_micros()) / 1_000_000;
        assert!((i64::from(15 * attempt)..=i64::from(30 * attempt)).contains(&pause), "{pause}");
    }
}

#[tokio::test]
async fn a_run_ends_with_its_lease() {
    let server = TestServer::with_sample().await;
    let runner = Runner { lease_seconds: 1, ..server.job_runner() };
    let run = runner.run_now(server.production(), &HANGING).await.unwrap();
    assert!(matches!(run, Run::Ended(Err(JobError::TookTooLong))), "{run:?}");
}

#[tokio::test]
async fn the_job_of_an_instance_that_died_is_taken_over_when_its_lease_ends() {
    let server = TestServer::with_sample().await;
    let (first, tenant) = (server.job_runner(), server.production());
    let dying = tokio::spawn({
        let tenant = tenant.clone();
        async move { first.run_now(tenant, &HANGING).await }
    });
    let is_leased = |jobs: &[StoredJob]| jobs.iter().any(|job| job.lease.is_some());
    while !is_leased(&jobs_of_production(&server).await) {
        tokio::task::yield_now().await;
    }
    dying.abort();
    let second = Runner { owner: "another".to_owned(), lease_seconds: 1, ..server.job_runner() };
    let run = second.run_now(tenant.clone(), &HANGING).await.unwrap();
    assert!(matches!(run, Run::NotLeased), "{run:?}");
    server.advance_seconds(300);
    let database = &server.service().database;
    let now = server.now();
    let due = database.due_jobs(&[HANGING.name()], now, 10).await.unwrap();
    assert_eq!(due, [JobId::recurring(&tenant.tenant.id, HANGING.name())]);
    let run = second.run_now(tenant, &HANGING).await.unwrap();
    assert!(matches!(run, Run::Ended(Err(JobError::TookTooLong))), "{run:?}");
    let [job] = &jobs_of_production(&server).await[..] else { panic!("not one job") };
    assert_eq!((job.attempts, &job.lease), (2, &None));
}
