//! Tests of processes that deliver to the same webhook.

use pointbook_app::ports::{JobCounts, JobId, JobStore, Lease};
use pointbook_domain::Timestamp;
use pointbook_testkit::build::noon;

use super::super::{JOB, under_lease};
use super::fixture::{Fixture, instance};
use super::receiver::Receiver;

fn job(fixture: &Fixture) -> JobId {
    JobId { tenant: fixture.served.tenant.id.clone(), name: JOB.to_owned(), key: "wh_1".to_owned() }
}

/// Another process begins a run that ends in a minute.
async fn begin_elsewhere(fixture: &Fixture) {
    let lease = Lease { owner: "other".to_owned(), ends_at: noon().plus_seconds(60) };
    fixture.store.schedule_job(&job(fixture), Timestamp::MAX).await.unwrap();
    let leased = fixture.store.lease_job(&job(fixture), &lease, Timestamp::MAX, noon()).await.unwrap();
    assert_eq!(leased, Some(1));
}

#[tokio::test]
async fn one_process_at_a_time_delivers_to_a_webhook() {
    let fixture = Fixture::new(Receiver::responding(&["200 OK"]).await).await;
    fixture.add_users(["a"]).await;
    begin_elsewhere(&fixture).await;
    assert!(!fixture.deliver().await);
    assert!(fixture.sent().is_empty());
    // The other process died.
    fixture.clock.advance_seconds(60);
    assert!(fixture.deliver().await);
    assert_eq!(fixture.sent(), [1]);
}

/// The table of jobs shows what is late. A process that found the lease taken must leave no row there.
#[tokio::test]
async fn no_job_is_left_after_a_run() {
    let receiver = Receiver::start(|_| async {
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        "200 OK"
    })
    .await;
    let fixture = Fixture::new(receiver).await;
    fixture.add_users(["a", "b", "c"]).await;
    let other = instance(&fixture.store, &fixture.clock, "two").await;
    let elsewhere = async {
        while fixture.sent().is_empty() {
            tokio::task::yield_now().await;
        }
        under_lease(&other, &fixture.served, "wh_1").await.unwrap()
    };
    let (here, elsewhere) = tokio::join!(fixture.deliver(), elsewhere);
    assert_eq!((here, elsewhere), (true, false));
    assert_eq!(fixture.sent(), [1, 2, 3]);
    assert_eq!(fixture.store.jobs_of(&fixture.served.tenant.id, 9).await.unwrap(), []);
    let later = noon().plus_seconds(86_400);
    let counts = fixture.store.count_jobs(later, later).await.unwrap();
    assert_eq!(counts, JobCounts { late: 0, failing: 0 });
}

/// A process may look before another one fails, and get the lease after it.
#[tokio::test]
async fn a_retry_of_another_process_is_waited_for() {
    let fixture = Fixture::new(Receiver::responding(&["500 Broken", "200 OK"]).await).await;
    fixture.add_users(["a"]).await;
    fixture.deliver().await;
    let other = instance(&fixture.store, &fixture.clock, "two").await;
    assert!(under_lease(&other, &fixture.served, "wh_1").await.unwrap());
    assert_eq!(fixture.sent(), [1]);
    fixture.clock.set(fixture.progress().await.retry_at.unwrap());
    assert!(under_lease(&other, &fixture.served, "wh_1").await.unwrap());
    assert_eq!(fixture.sent(), [1, 1]);
}
