//! Facts of background jobs: due times and leases.

use std::sync::Arc;

use futures_util::future::join_all;
use pointbook_domain::Timestamp;
use pointbook_store::ports::{Database, JobCounts, JobId, Lease, RunEnd, StoredJob};

use super::add_tenant;
use crate::build;

const NAMES: [&str; 2] = ["clean", "send"];

/// A recurring job of the tenant with this slug.
fn job(slug: &str, name: &str) -> JobId {
    JobId::recurring(&build::tenant(slug).id, name)
}

/// Seconds after noon.
fn second(seconds: i64) -> Timestamp {
    build::at(seconds * 1_000_000)
}

fn lease(owner: &str, ends_at: Timestamp) -> Lease {
    Lease { owner: owner.to_owned(), ends_at }
}

fn succeeded(at: Timestamp, next_run_at: Option<Timestamp>) -> RunEnd {
    RunEnd::Succeeded { at, next_run_at }
}

/// A tenant `acme` whose job `clean` is due at noon.
async fn scheduled(database: &Arc<dyn Database>) -> JobId {
    add_tenant(database, "acme").await;
    let id = job("acme", "clean");
    database.schedule_job(&id, second(0)).await.unwrap();
    id
}

/// Takes the job for ten seconds, if it is due and free.
async fn take(database: &Arc<dyn Database>, id: &JobId, owner: &str, now: i64) -> Option<u32> {
    database.lease_job(id, &lease(owner, second(now + 10)), second(now), second(now)).await.unwrap()
}

async fn due(database: &Arc<dyn Database>, now: i64) -> Vec<JobId> {
    database.due_jobs(&NAMES, second(now), 100).await.unwrap()
}

async fn stored(database: &Arc<dyn Database>, id: &JobId) -> Option<StoredJob> {
    let jobs = database.jobs_of(&id.tenant, 100).await.unwrap();
    jobs.into_iter().find(|job| job.id == *id)
}

/// Only jobs with the given names are listed, because a newer instance may know others.
pub async fn the_longest_due_job_comes_first(database: Arc<dyn Database>) {
    for slug in ["acme", "bolt"] {
        add_tenant(&database, slug).await;
    }
    let jobs = [("acme", "clean", 3), ("acme", "send", 1), ("bolt", "clean", 2), ("bolt", "send", 9)];
    for (slug, name, at) in jobs {
        database.schedule_job(&job(slug, name), second(at)).await.unwrap();
    }
    database.schedule_job(&job("acme", "unknown"), second(0)).await.unwrap();
    let expected = [job("acme", "send"), job("bolt", "clean"), job("acme", "clean")];
    assert_eq!(due(&database, 8).await, expected);
    assert_eq!(database.due_jobs(&NAMES, second(8), 2).await.unwrap(), expected[..2]);
    assert_eq!(database.due_jobs(&["send"], second(8), 2).await.unwrap(), expected[..1]);
    assert!(due(&database, 0).await.is_empty());
}

/// The other instances learn this at once, and do not wait for the run.
pub async fn one_of_two_instances_gets_a_job(database: Arc<dyn Database>) {
    let id = scheduled(&database).await;
    let takes = ["one", "two", "three", "four"].map(|owner| take(&database, &id, owner, 0));
    let attempts = join_all(takes).await;
    assert_eq!(attempts.iter().filter(|attempt| **attempt == Some(1)).count(), 1, "{attempts:?}");
    assert_eq!(attempts.iter().filter(|attempt| attempt.is_none()).count(), 3, "{attempts:?}");
    assert!(due(&database, 9).await.is_empty());
}

/// Another instance may have run a job after it was listed as due.
pub async fn a_job_that_is_not_due_is_not_run(database: Arc<dyn Database>) {
    let id = scheduled(&database).await;
    assert_eq!(take(&database, &id, "one", -1).await, None);
    // An operator may schedule it at once.
    let now = second(-1);
    let taken = database.lease_job(&id, &lease("one", second(9)), Timestamp::MAX, now).await.unwrap();
    assert_eq!(taken, Some(1));
    assert_eq!(take(&database, &job("acme", "send"), "one", 0).await, None, "unknown");
}

/// The lease of a killed instance expires.
pub async fn lease_expires(database: Arc<dyn Database>) {
    let id = scheduled(&database).await;
    assert_eq!(take(&database, &id, "one", 0).await, Some(1));
    assert_eq!(take(&database, &id, "two", 9).await, None);
    assert_eq!(due(&database, 10).await, std::slice::from_ref(&id));
    assert_eq!(take(&database, &id, "two", 10).await, Some(2));
    let late = database.end_run(&id, &lease("one", second(10)), &succeeded(second(11), None)).await;
    assert!(!late.unwrap(), "the first instance lost its lease");
    let stored = stored(&database, &id).await.unwrap();
    assert_eq!((stored.attempts, stored.lease), (2, Some(lease("two", second(20)))));
}

/// A long run renews its lease, so that no other instance takes the job meanwhile.
pub async fn a_lease_is_renewed_by_its_owner_only(database: Arc<dyn Database>) {
    let id = scheduled(&database).await;
    assert_eq!(take(&database, &id, "one", 0).await, Some(1));
    let renew =
        async |owner, from, to| database.renew_lease(&id, &lease(owner, second(from)), second(to)).await;
    assert!(renew("one", 10, 25).await.unwrap());
    assert_eq!((take(&database, &id, "two", 10).await, due(&database, 24).await), (None, Vec::new()));
    assert!(!renew("one", 10, 40).await.unwrap(), "the lease has another end");
    assert!(!renew("two", 25, 40).await.unwrap(), "another owner");
    let end = succeeded(second(20), None);
    assert!(database.end_run(&id, &lease("one", second(25)), &end).await.unwrap());
    assert_eq!(stored(&database, &id).await, None, "nothing scheduled it during the run");
    assert!(!renew("one", 25, 40).await.unwrap(), "the job is gone");
}

/// The work of the caller that scheduled the job is not forgotten.
pub async fn a_renewed_lease_keeps_what_was_scheduled(database: Arc<dyn Database>) {
    let id = scheduled(&database).await;
    take(&database, &id, "one", 0).await.unwrap();
    database.schedule_job(&id, second(3)).await.unwrap();
    assert!(database.renew_lease(&id, &lease("one", second(10)), second(25)).await.unwrap());
    assert_eq!(stored(&database, &id).await.unwrap().next_run_at, second(3));
    assert_eq!(take(&database, &id, "two", 12).await, None);
    assert!(database.end_run(&id, &lease("one", second(25)), &succeeded(second(20), None)).await.unwrap());
    assert_eq!(take(&database, &id, "two", 20).await, Some(1));
}

/// The run gives its lease back, and the error of earlier runs is removed.
pub async fn a_run_that_succeeded_says_when_the_next_is_due(database: Arc<dyn Database>) {
    let id = scheduled(&database).await;
    take(&database, &id, "one", 0).await.unwrap();
    let end = succeeded(second(2), Some(second(60)));
    assert!(database.end_run(&id, &lease("one", second(10)), &end).await.unwrap());
    let expected = StoredJob {
        id: id.clone(),
        next_run_at: second(60),
        attempts: 0,
        lease: None,
        last_error: None,
        last_success_at: Some(second(2)),
    };
    assert_eq!(stored(&database, &id).await, Some(expected));
    assert!(due(&database, 59).await.is_empty());
    assert_eq!(take(&database, &id, "two", 60).await, Some(1));
}

/// The failed run determines the next time.
pub async fn a_failed_job_waits_and_counts_its_attempts(database: Arc<dyn Database>) {
    let id = scheduled(&database).await;
    for (attempt, now) in [(1, 0), (2, 30)] {
        assert_eq!(take(&database, &id, "one", now).await, Some(attempt));
        let end = RunEnd::Failed { error: format!("reason {attempt}"), next_run_at: second(now + 30) };
        assert!(database.end_run(&id, &lease("one", second(now + 10)), &end).await.unwrap());
    }
    let failed = stored(&database, &id).await.unwrap();
    assert_eq!((failed.attempts, failed.next_run_at, &failed.lease), (2, second(60), &None));
    assert_eq!((failed.last_error.as_deref(), failed.last_success_at), (Some("reason 2"), None));
    assert!(due(&database, 59).await.is_empty());
    assert_eq!(take(&database, &id, "one", 60).await, Some(3));
    let end = succeeded(second(61), Some(second(90)));
    assert!(database.end_run(&id, &lease("one", second(70)), &end).await.unwrap());
    let stored = stored(&database, &id).await.unwrap();
    assert_eq!((stored.attempts, stored.last_error), (0, None));
}

/// One-time jobs of the same name have different keys.
pub async fn one_time_job_is_removed_after_success(database: Arc<dyn Database>) {
    add_tenant(&database, "acme").await;
    let work = |key: &str| JobId { key: key.to_owned(), ..job("acme", "send") };
    for key in ["a", "b"] {
        database.schedule_job(&work(key), second(0)).await.unwrap();
    }
    assert_eq!(due(&database, 0).await, [work("a"), work("b")]);
    assert!(database.recurring_jobs().await.unwrap().is_empty());
    take(&database, &work("a"), "one", 0).await.unwrap();
    assert!(
        database.end_run(&work("a"), &lease("one", second(10)), &succeeded(second(1), None)).await.unwrap()
    );
    assert_eq!((stored(&database, &work("a")).await, due(&database, 60).await), (None, vec![work("b")]));
}

/// Therefore several callers can schedule a job independently.
pub async fn scheduling_brings_a_job_forward_and_never_back(database: Arc<dyn Database>) {
    let id = scheduled(&database).await;
    for (at, expected) in [(5, 0), (-5, -5), (7, -5)] {
        database.schedule_job(&id, second(at)).await.unwrap();
        assert_eq!(stored(&database, &id).await.unwrap().next_run_at, second(expected));
    }
}

/// The run may not have seen the work of the caller that schedules the job.
pub async fn a_job_that_is_scheduled_during_its_run_comes_again(database: Arc<dyn Database>) {
    for (at, next_run_at, expected) in
        [(3, None, 3), (3, Some(60), 3), (30, None, 10), (30, Some(60), 10), (3, Some(2), 2)]
    {
        let name = format!("job {at} {next_run_at:?}");
        let slug = format!("acme-{at}-{}", next_run_at.unwrap_or_default());
        add_tenant(&database, &slug).await;
        let id = job(&slug, &name);
        database.schedule_job(&id, second(0)).await.unwrap();
        take(&database, &id, "one", 0).await.unwrap();
        database.schedule_job(&id, second(at)).await.unwrap();
        assert_eq!(take(&database, &id, "two", 9).await, None, "{name}");
        let end = succeeded(second(9), next_run_at.map(second));
        assert!(database.end_run(&id, &lease("one", second(10)), &end).await.unwrap());
        let next = stored(&database, &id).await.unwrap().next_run_at;
        assert!(next <= second(expected) && next > second(expected - 1), "{name}: {next}");
    }
}

/// The counts include all tenants. A running job is not late.
pub async fn late_and_failing_jobs_are_counted(database: Arc<dyn Database>) {
    let id = scheduled(&database).await;
    add_tenant(&database, "bolt").await;
    database.schedule_job(&job("bolt", "clean"), second(5)).await.unwrap();
    let counts =
        async |late_before, now| database.count_jobs(second(late_before), second(now)).await.unwrap();
    assert_eq!(counts(0, 60).await, JobCounts { late: 0, failing: 0 });
    assert_eq!(counts(6, 60).await, JobCounts { late: 2, failing: 0 });
    take(&database, &id, "one", 0).await.unwrap();
    assert_eq!(counts(60, 9).await, JobCounts { late: 1, failing: 0 });
    assert_eq!(counts(60, 10).await, JobCounts { late: 2, failing: 0 }, "its lease has expired");
    let end = RunEnd::Failed { error: "no".to_owned(), next_run_at: second(70) };
    assert!(database.end_run(&id, &lease("one", second(10)), &end).await.unwrap());
    assert_eq!(counts(60, 60).await, JobCounts { late: 1, failing: 1 });
}

/// A job is ended, taken and listed for its tenant only, but due jobs are found for all tenants at once.
pub async fn tenants_share_no_jobs(database: Arc<dyn Database>) {
    let id = scheduled(&database).await;
    add_tenant(&database, "bolt").await;
    let other = job("bolt", "clean");
    assert_eq!(take(&database, &other, "one", 0).await, None);
    database.schedule_job(&other, second(1)).await.unwrap();
    take(&database, &id, "one", 0).await.unwrap();
    assert!(!database.end_run(&other, &lease("one", second(10)), &succeeded(second(1), None)).await.unwrap());
    assert_eq!(due(&database, 5).await, std::slice::from_ref(&other));
    assert_eq!(database.recurring_jobs().await.unwrap(), [id.clone(), other.clone()]);
    let of_bolt = database.jobs_of(&other.tenant, 100).await.unwrap();
    assert_eq!(of_bolt.iter().map(|job| &job.id).collect::<Vec<_>>(), [&other]);
}
