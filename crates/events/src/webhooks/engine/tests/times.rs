//! Tests of when things happen.

use super::*;
use crate::webhooks::engine::watcher::Watcher;
use crate::webhooks::manage::show_webhook;

const HOUR: u32 = 3_600;

/// A look ten seconds before each change makes an attempt, so that none is due at the change.
#[tokio::test]
async fn the_state_changes_in_time_between_two_attempts() {
    let fixture = Fixture::new(Receiver::responding(&["500 Broken"]).await).await;
    fixture.add_users(["a"]).await;
    let Fixture { receiver, served, deliveries, clock, .. } = fixture;
    let mut watcher = Watcher::new(Arc::new(deliveries));
    let mut look = async |seconds: u32| {
        clock.set(noon().plus_seconds(seconds));
        let look = watcher.look(&served).await;
        watcher.finish_runs().await;
        let webhook = show_webhook(&*served.data, "wh_1").await.unwrap().unwrap().webhook;
        (look.latest.as_secs(), webhook.state, receiver.requests().len())
    };
    assert_eq!(look(0).await, (30, WebhookState::Active, 1));
    assert_eq!(look(HOUR - 10).await, (10, WebhookState::Active, 2));
    assert_eq!(look(HOUR).await, (30, WebhookState::Failing, 2));
    assert_eq!(look(120 * HOUR - 10).await, (10, WebhookState::Failing, 3));
    assert_eq!(look(120 * HOUR).await.1, WebhookState::Disabled);
    assert_eq!(receiver.requests().len(), 3);
}

/// At rest, a look is one question to the feed.
#[tokio::test]
async fn a_complete_webhook_is_not_read_until_the_feed_goes_on() {
    let fixture = Fixture::new(Receiver::responding(&["200 OK"]).await).await;
    fixture.add_users(["a"]).await;
    let Fixture { served, deliveries, .. } = fixture;
    let mut watcher = Watcher::new(Arc::new(deliveries));
    watcher.look(&served).await;
    assert!(!watcher.has_nothing_new(&served).await, "a run goes on");
    watcher.finish_runs().await;
    watcher.look(&served).await;
    assert!(watcher.has_nothing_new(&served).await);
    add_users(&*served.data, ["b"]).await;
    assert!(!watcher.has_nothing_new(&served).await);
}

/// A write must not cause a look every 20 ms when no webhook could get it.
#[tokio::test]
async fn a_write_causes_no_look_soon_when_no_webhook_waits_for_it() {
    let fixture = Fixture::new(Receiver::responding(&["500 Broken"]).await).await;
    let Fixture { served, deliveries, .. } = fixture;
    let mut watcher = Watcher::new(Arc::new(deliveries));
    let pause = async |watcher: &mut Watcher| {
        let look = watcher.look(&served).await;
        watcher.finish_runs().await;
        look.pause.as_millis()
    };
    assert_eq!(pause(&mut watcher).await, 20, "it is at the end");
    add_users(&*served.data, ["a"]).await;
    assert_eq!(pause(&mut watcher).await, 1_000, "it gets the event");
    assert_eq!(pause(&mut watcher).await, 1_000, "it waits after a failure");
}
