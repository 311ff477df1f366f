//! Tests of processes that deliver to the same webhook.

use std::sync::Arc;

use pointbook_domain::WebhookProgress;
use pointbook_testkit::Receiver;
use pointbook_testkit::build::webhook;

use super::super::{Ahead, LeaseState, SaveProgress, TakeLease, deliver};
use super::fixture::{Fixture, instance};

fn take(owner: &str, seen: LeaseState) -> TakeLease {
    TakeLease { webhook_id: "wh_1".to_owned(), owner: owner.to_owned(), seen }
}

/// A process may look before another one fails, and try to take the lease after it.
#[tokio::test]
async fn a_retry_of_another_process_is_waited_for() {
    let fixture = Fixture::new(Receiver::responding(&["500 Broken", "200 OK"]).await).await;
    fixture.add_users(["a"]).await;
    let seen = fixture.due().await.unwrap();
    fixture.deliver().await;
    let other = instance(&fixture.store.database, &fixture.clock, "two").await;
    assert!(!deliver(&other, &fixture.served, "wh_1", seen, &mut Ahead::default()).await.unwrap());
    assert_eq!((fixture.due().await, fixture.sent()), (None, vec![1]));
    fixture.clock.set(fixture.progress().await.retry_at.unwrap());
    fixture.deliver().await;
    assert_eq!(fixture.sent(), [1, 1]);
}

/// The process was away for so long that another one delivers. It writes nothing, and its run ends.
#[tokio::test]
async fn a_process_without_the_lease_writes_nothing() {
    let (fixture, taken) = interrupted().await;
    let progress = fixture.progress().await;
    assert_eq!(progress, taken, "the cursor, the counts and the lease of the other process");
    assert_eq!((fixture.sent(), fixture.attempts().await), (vec![1, 2, 3], vec![]));
    let late = WebhookProgress { lease_number: 1, position: 9, ..progress.clone() };
    assert!(!fixture.served.data.write(SaveProgress { progress: late, attempts: vec![] }).await.unwrap());
    assert_eq!(fixture.progress().await, progress);
}

/// Another process takes the lease during the first request of a run.
async fn interrupted() -> (Fixture, WebhookProgress) {
    let shared: Arc<std::sync::OnceLock<Arc<dyn pointbook_store::ports::TenantData>>> = Arc::default();
    let known = shared.clone();
    let receiver = Receiver::start(move |id| {
        let data = known.get().unwrap().clone();
        async move {
            if id == "evt_1_1" {
                let progress = crate::webhooks::manage::find_progress(&*data, "wh_1").await.unwrap().unwrap();
                assert_eq!(progress.lease_owner.as_deref(), Some("one"));
                assert!(data.write(take("two", LeaseState::from(&progress))).await.unwrap().is_some());
            }
            "200 OK"
        }
    })
    .await;
    let fixture = Fixture::new(receiver).await;
    assert!(shared.set(fixture.served.data.clone()).is_ok());
    fixture.add_users(["a", "b", "c"]).await;
    fixture.deliver().await;
    let new = WebhookProgress::begin(&webhook("wh_1"), None);
    (fixture, WebhookProgress { lease_owner: Some("two".to_owned()), lease_number: 2, ..new })
}
