use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use pointbook_store::{Clock, Context, JobError, Schedule};
use tokio::sync::Semaphore;

use super::*;
use crate::jobs::runner::tests::runner;

/// A job that counts how often it has begun, and ends when the test says so.
struct Counted {
    name: &'static str,
    is_long: bool,
    begun: AtomicUsize,
    ends: Semaphore,
}

impl Counted {
    const fn new(name: &'static str, is_long: bool) -> Self {
        Self { name, is_long, begun: AtomicUsize::new(0), ends: Semaphore::const_new(0) }
    }
}

#[async_trait]
impl Job for Counted {
    fn name(&self) -> &'static str {
        self.name
    }

    fn schedule(&self) -> Schedule {
        Schedule::Every { seconds: 3_600 }
    }

    fn is_long(&self) -> bool {
        self.is_long
    }

    async fn run(&self, _: &Context, _: &dyn Clock) -> Result<Next, JobError> {
        self.begun.fetch_add(1, Ordering::Relaxed);
        self.ends.acquire().await.unwrap().forget();
        Ok(Next::Done)
    }
}

/// The long jobs have the first names, so a store gives them first.
static LONG: [Counted; 3] =
    [Counted::new("a-long", true), Counted::new("b-long", true), Counted::new("c-long", true)];
static SHORT: [Counted; 2] = [Counted::new("d-short", false), Counted::new("e-short", false)];

fn begun(jobs: &[Counted]) -> usize {
    jobs.iter().map(|job| job.begun.load(Ordering::Relaxed)).sum()
}

#[tokio::test]
async fn long_jobs_leave_two_places_to_others() {
    static JOBS: [&dyn Job; 5] = [&LONG[0], &LONG[1], &LONG[2], &SHORT[0], &SHORT[1]];
    let (mut runner, _, _database) = runner().await;
    (runner.jobs, runner.lease_seconds) = (&JOBS, 3_600);
    let until = async |is_so: &dyn Fn() -> bool| {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    let watch = async {
        until(&|| begun(&LONG) + begun(&SHORT) == 4).await;
        assert_eq!(begun(&LONG), 2, "the third long job waits, although all five are due");
        for job in &LONG {
            job.ends.add_permits(1);
        }
        until(&|| begun(&LONG) == 3).await;
    };
    let serving = serve(Arc::new(runner), Duration::from_millis(10));
    let watch = timeout(Duration::from_mins(1), watch);
    tokio::select! {
        () = serving => unreachable!("a server of jobs never ends"),
        watched = watch => watched.unwrap(),
    }
}
