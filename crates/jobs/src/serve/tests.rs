use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use pointbook_app::{Clock, Context};
use tokio::time::sleep;

use super::*;
use crate::runner::tests::runner;
use crate::{JobError, Schedule};

/// A job of two seconds that counts how often it has begun.
struct Counted {
    name: &'static str,
    is_long: bool,
    begun: AtomicUsize,
}

impl Counted {
    const fn new(name: &'static str, is_long: bool) -> Self {
        Self { name, is_long, begun: AtomicUsize::new(0) }
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
        // Shorter than the lease of three seconds.
        sleep(Duration::from_secs(2)).await;
        Ok(Next::Done)
    }
}

/// The long jobs have the first names, so a store gives them first.
static LONG: [Counted; 3] =
    [Counted::new("a-long", true), Counted::new("b-long", true), Counted::new("c-long", true)];
static SHORT: [Counted; 2] = [Counted::new("d-short", false), Counted::new("e-short", false)];

#[tokio::test(start_paused = true)]
async fn long_jobs_leave_two_places_to_others() {
    static JOBS: [&dyn Job; 5] = [&LONG[0], &LONG[1], &LONG[2], &SHORT[0], &SHORT[1]];
    let (mut runner, _) = runner().await;
    runner.jobs = &JOBS;
    let begun = |jobs: &[Counted]| jobs.iter().map(|job| job.begun.load(Ordering::Relaxed)).sum::<usize>();
    let watch = async {
        sleep(Duration::from_millis(1_500)).await;
        let early = (begun(&LONG), begun(&SHORT));
        sleep(Duration::from_secs(3)).await;
        (early, (begun(&LONG), begun(&SHORT)))
    };
    let (early, late) = tokio::select! {
        () = serve(Arc::new(runner), Duration::from_secs(1)) => unreachable!("a server of jobs never ends"),
        counts = watch => counts,
    };
    assert_eq!(early, (2, 2), "the third long job waits, although all five are due");
    assert_eq!(late, (3, 2), "it runs when another long job has ended");
}
