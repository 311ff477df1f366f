use async_trait::async_trait;
use pointbook_store::ports::Database;
use pointbook_store::{Clock, Schedule, ServiceLimits};
use pointbook_testkit::{OneSecret, SequentialIds, TestDatabase, build, sqlite};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep};

use super::*;

/// The clock of the test, which moves when all tasks wait, for a write too.
struct PausedClock(Instant);

impl Clock for PausedClock {
    fn now(&self) -> Timestamp {
        build::at(i64::try_from(self.0.elapsed().as_micros()).unwrap())
    }
}

/// A job that ends when the test says so. It has no timer, so the clock moves no further than a third of a lease at a time.
struct Slow {
    is_long: bool,
    ends: Notify,
}

impl Slow {
    fn new(is_long: bool) -> Self {
        Self { is_long, ends: Notify::new() }
    }
}

#[async_trait]
impl Job for Slow {
    fn name(&self) -> &'static str {
        "slow"
    }

    fn schedule(&self) -> Schedule {
        Schedule::Every { seconds: 60 }
    }

    fn is_long(&self) -> bool {
        self.is_long
    }

    async fn run(&self, _: &Context, _: &dyn Clock) -> Result<Next, JobError> {
        self.ends.notified().await;
        Ok(Next::Done)
    }
}

/// A process with leases of three seconds, its only tenant, and their database.
pub(crate) async fn runner() -> (Runner, Arc<ServedTenant>, TestDatabase) {
    let database = sqlite::database_of([build::tenant("acme")]).await;
    let limits = ServiceLimits {
        principal_max_age_seconds: 0,
        principal_max_age_when_away_seconds: 0,
        refresh_interval_ms: 500,
        catalogue_bytes: 0,
    };
    let clock = Arc::new(PausedClock(Instant::now()));
    let service = Service::open(database.database.clone(), clock, Arc::new(OneSecret), limits).await.unwrap();
    let tenant = service.directory().tenants()[0].clone();
    let (ids, owner) = (Arc::new(SequentialIds::default()), "one".to_owned());
    (Runner { service: Arc::new(service), ids, owner, lease_seconds: 3, jobs: &[] }, tenant, database)
}

/// Another process that takes the lease of the job.
async fn take(database: &dyn Database, id: &JobId, now: Timestamp) -> Option<u32> {
    let lease = Lease { owner: "two".to_owned(), ends_at: now.plus_seconds(60) };
    database.lease_job(id, &lease, Timestamp::MAX, now).await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn only_a_long_job_may_take_longer_than_its_lease() {
    let (runner, tenant, TestDatabase { database, keep: _folder }) = runner().await;
    let run = runner.run_now(tenant.clone(), &Slow::new(false)).await.unwrap();
    assert!(matches!(run, Run::Ended(Err(JobError::TookTooLong))), "{run:?}");
    let id = JobId::recurring(&tenant.tenant.id, "slow");
    let slow = Slow::new(true);
    let running = runner.run_now(tenant, &slow);
    let others = async {
        for _ in 0..9 {
            sleep(Duration::from_secs(1)).await;
            assert_eq!(take(&*database, &id, runner.service.clock.now()).await, None);
        }
        slow.ends.notify_one();
    };
    let (run, ()) = tokio::join!(running, others);
    assert!(matches!(run, Ok(Run::Ended(Ok(Next::Done)))), "{run:?}");
    let [job] = &database.jobs_of(&id.tenant, 10).await.unwrap()[..] else { panic!("not one job") };
    assert_eq!((job.attempts, &job.lease, job.last_error.as_deref()), (0, &None, None));
}

/// A process whose lease has expired, because it stood still, stops when it notices that.
#[tokio::test(start_paused = true)]
async fn a_long_job_ends_when_another_process_has_its_lease() {
    let (runner, tenant, TestDatabase { database, keep: _folder }) = runner().await;
    let id = JobId::recurring(&tenant.tenant.id, "slow");
    database.schedule_job(&id, build::noon()).await.unwrap();
    let slow = Slow::new(true);
    let running = runner.run_now(tenant, &slow);
    let other = async {
        sleep(Duration::from_millis(500)).await;
        assert_eq!(take(&*database, &id, build::at(4_000_000)).await, Some(2));
    };
    let (run, ()) = tokio::join!(running, other);
    assert!(matches!(run, Ok(Run::LeaseLost(Err(JobError::TookTooLong)))), "{run:?}");
}
