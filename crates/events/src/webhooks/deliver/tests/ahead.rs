//! Tests of events that were delivered beyond the cursor.

use std::sync::Arc;
use std::time::Duration;

use pointbook_domain::Webhook;
use pointbook_testkit::Receiver;
use pointbook_testkit::build::webhook;

use super::fixture::Fixture;

const OK: &str = "200 OK";
const BROKEN: &str = "500 Broken";

/// What another lane delivered after the failed event is remembered. The first event fails once, after the others.
#[tokio::test]
async fn no_event_is_sent_again_after_a_failure_of_another_lane() {
    let others = Arc::new(tokio::sync::Semaphore::new(0));
    let is_first = Arc::new(std::sync::atomic::AtomicBool::new(true));
    let fixture = two_lanes(move |id| {
        let (others, is_first) = (others.clone(), is_first.clone());
        async move {
            if id != "evt_1_1" {
                others.add_permits(1);
            } else if is_first.swap(false, std::sync::atomic::Ordering::SeqCst) {
                drop(others.acquire_many(3).await.unwrap());
                return BROKEN;
            }
            OK
        }
    })
    .await;
    fixture.add_users_in_lanes(&[0, 1, 1, 0, 1]).await;
    fixture.deliver().await;
    assert_eq!(fixture.progress().await.position, 0);
    assert_eq!(fixture.ahead.lock().unwrap().positions(), [2, 3, 5]);
    fixture.clock.set(fixture.progress().await.retry_at.unwrap());
    fixture.deliver().await;
    let mut sent = fixture.sent();
    assert_eq!(sent[4..], [1, 4]);
    sent.sort_unstable();
    assert_eq!((sent, fixture.progress().await.position), (vec![1, 1, 2, 3, 4, 5], 5));
}

/// The first event takes longer than a batch. What the other lane delivers meanwhile is remembered.
#[tokio::test]
async fn no_event_is_sent_again_after_the_time_of_a_batch() {
    let fixture = two_lanes(|id| async move {
        if id == "evt_1_1" {
            tokio::time::sleep(Duration::from_millis(1_100)).await;
        }
        OK
    })
    .await;
    fixture.add_users_in_lanes(&[0, 0, 1, 0, 1]).await;
    fixture.deliver().await;
    let mut sent = fixture.sent();
    assert_eq!((sent[0].min(sent[1]), sent.len()), (1, 5), "{sent:?}");
    sent.sort_unstable();
    assert_eq!(sent, [1, 2, 3, 4, 5]);
    let progress = fixture.progress().await;
    assert_eq!((progress.position, progress.delivered_count), (5, 5));
    assert_eq!(fixture.ahead.lock().unwrap().positions(), Vec::<u64>::new());
}

async fn two_lanes<F: Future<Output = &'static str> + Send + 'static>(
    react: impl Fn(String) -> F + Send + Sync + 'static,
) -> Fixture {
    Fixture::with(Receiver::start(react).await, Webhook { lanes: 2, ..webhook("wh_1") }).await
}
