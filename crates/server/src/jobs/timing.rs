//! When a job is due again. The decision needs no database.

use std::hash::{DefaultHasher, Hash, Hasher};

use pointbook_domain::Timestamp;
use pointbook_store::ports::{JobId, RunEnd};
use pointbook_store::{JobError, Next, Schedule};

/// The pause after the first failure; it doubles with each further one.
const FIRST_BACKOFF_SECONDS: u32 = 30;

/// The longest pause after a failure.
const MAX_BACKOFF_SECONDS: u32 = 3_600;

/// The largest part by which a pause is shortened, in thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Jitter(u32);

impl Jitter {
    /// Differs by job and by run, so that jobs which were due at once spread out. It needs no random source.
    pub(crate) fn of(id: &JobId, now: Timestamp) -> Self {
        let mut hasher = DefaultHasher::new();
        (id, now.as_micros()).hash(&mut hasher);
        // Less than 1,000.
        Self(u32::try_from(hasher.finish() % 1_000).unwrap_or_default())
    }

    /// The pause, shortened by up to this part.
    fn shorten(self, seconds: u32, one_in: u32) -> u32 {
        let most = u64::from(seconds / one_in);
        let taken = most * u64::from(self.0) / 1_000;
        seconds - u32::try_from(taken).unwrap_or_default()
    }
}

/// The result of a run that ended now, for the row of its job.
pub(crate) fn end_of_run(
    schedule: Schedule,
    attempt: u32,
    result: &Result<Next, JobError>,
    now: Timestamp,
    jitter: Jitter,
) -> RunEnd {
    match result {
        Ok(next) => RunEnd::Succeeded { at: now, next_run_at: next_run_at(schedule, *next, now, jitter) },
        Err(error) => {
            let pause = jitter.shorten(backoff_seconds(attempt), 2);
            RunEnd::Failed { error: error.plain().to_owned(), next_run_at: now.plus_seconds(pause) }
        }
    }
}

fn next_run_at(schedule: Schedule, next: Next, now: Timestamp, jitter: Jitter) -> Option<Timestamp> {
    let after = |seconds| now.plus_seconds(jitter.shorten(seconds, 5));
    match (next, schedule) {
        (Next::Again, _) => Some(now),
        (Next::After(seconds), _) | (Next::Done, Schedule::Every { seconds }) => Some(after(seconds)),
        (Next::Done, Schedule::OnDemand) => None,
    }
}

fn backoff_seconds(attempt: u32) -> u32 {
    let doublings = attempt.saturating_sub(1).min(u32::BITS - 1);
    FIRST_BACKOFF_SECONDS.saturating_mul(1 << doublings).min(MAX_BACKOFF_SECONDS)
}

#[cfg(test)]
mod tests {
    use pointbook_domain::TenantId;
    use pointbook_store::StoreError;
    use pointbook_store::job::seconds_until;
    use pointbook_testkit::build::noon;

    use super::*;

    const HOURLY: Schedule = Schedule::Every { seconds: 3_600 };
    const NONE: Jitter = Jitter(0);
    const MOST: Jitter = Jitter(999);

    fn next(schedule: Schedule, next: Next, jitter: Jitter) -> Option<u32> {
        let end = end_of_run(schedule, 1, &Ok(next), noon(), jitter);
        let RunEnd::Succeeded { at, next_run_at } = end else { panic!("{end:?}") };
        assert_eq!(at, noon());
        next_run_at.map(|at| seconds_until(noon(), at))
    }

    fn backoff(attempt: u32, jitter: Jitter) -> u32 {
        let failed = Err(JobError::Store(StoreError::Overloaded));
        let end = end_of_run(HOURLY, attempt, &failed, noon(), jitter);
        let RunEnd::Failed { next_run_at, error } = end else { panic!("{end:?}") };
        assert_eq!(error, "too much was waiting for the database");
        seconds_until(noon(), next_run_at)
    }

    #[test]
    fn a_recurring_job_comes_again_within_its_pause() {
        assert_eq!(next(HOURLY, Next::Done, NONE), Some(3_600));
        assert_eq!(next(HOURLY, Next::Done, MOST), Some(3_600 - 719));
        assert_eq!(next(HOURLY, Next::After(86_400), NONE), Some(86_400));
        assert_eq!(next(HOURLY, Next::Again, MOST), Some(0));
    }

    #[test]
    fn one_time_work_goes_when_it_is_done() {
        assert_eq!(next(Schedule::OnDemand, Next::Done, NONE), None);
        assert_eq!(next(Schedule::OnDemand, Next::Again, NONE), Some(0));
        assert_eq!(next(Schedule::OnDemand, Next::After(60), NONE), Some(60));
    }

    #[test]
    fn the_pause_after_a_failure_doubles_up_to_an_hour() {
        let pauses: Vec<u32> = [1, 2, 3, 7, 8, 9, 100, u32::MAX].map(|attempt| backoff(attempt, NONE)).into();
        assert_eq!(pauses, [30, 60, 120, 1_920, 3_600, 3_600, 3_600, 3_600]);
        assert_eq!((backoff(1, MOST), backoff(100, MOST)), (16, 1_802));
    }

    #[test]
    fn jobs_that_were_due_at_once_spread() {
        let id =
            |number: u32| JobId::recurring(&TenantId::new(format!("t{number}")).unwrap(), "clean-tokens");
        let mut tenths = [0; 10];
        for number in 0..2_000 {
            tenths[usize::try_from(Jitter::of(&id(number), noon()).0 / 100).unwrap()] += 1;
        }
        assert!(tenths.iter().all(|&count| (140..260).contains(&count)), "{tenths:?}");
        assert_eq!(Jitter::of(&id(1), noon()), Jitter::of(&id(1), noon()));
    }

    #[test]
    fn seconds_are_rounded_up_and_never_below_zero() {
        let at = |micros| pointbook_testkit::build::at(micros);
        assert_eq!(
            [1, 1_000_000, 1_000_001, -5].map(|micros| seconds_until(noon(), at(micros))),
            [1, 1, 2, 0]
        );
    }
}
