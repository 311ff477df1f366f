//! Tests of when things happen.

use pointbook_domain::WebhookMode;

use super::*;
use crate::engine::watcher::Watcher;
use crate::manage::show_webhook;

const HOUR: i64 = 3_600;

/// Seconds since noon at which the state of a webhook changes whose receiver always fails. The watcher looks when it wants to.
async fn changes_of_state() -> Vec<(WebhookState, i64)> {
    let fixture = Fixture::new(Receiver::responding(&["500 Broken"]).await).await;
    fixture.add_users(["a"]).await;
    let Fixture { served, deliveries, clock, .. } = fixture;
    let mut watcher = Watcher::new(Arc::new(deliveries));
    let mut changes = Vec::new();
    while changes.len() < 3 {
        let look = watcher.look(&served).await;
        watcher.finish_runs().await;
        let webhook = show_webhook(&*served.data, "wh_1").await.unwrap().unwrap().webhook;
        let change = (webhook.state, (webhook.state_since.as_micros() - noon().as_micros()) / 1_000_000);
        if changes.last() != Some(&change) {
            changes.push(change);
        }
        let micros = clock_now(&clock) + i64::try_from(look.latest.as_micros()).unwrap();
        clock.set(pointbook_domain::Timestamp::from_micros(micros).unwrap());
        assert!(micros < noon().as_micros() + 200 * HOUR * 1_000_000, "{changes:?}");
    }
    changes
}

fn clock_now(clock: &pointbook_testkit::FixedClock) -> i64 {
    pointbook_app::Clock::now(clock).as_micros()
}

/// Attempts come after 0 s, 5 s, 5 min, 35 min, 2 h 35 min and so on. The state does not wait for the next one.
#[tokio::test]
async fn the_state_changes_in_time_between_two_attempts() {
    let expected =
        [(WebhookState::Active, 0), (WebhookState::Failing, HOUR), (WebhookState::Disabled, 120 * HOUR)];
    assert_eq!(changes_of_state().await, expected);
}

#[tokio::test]
async fn a_second_lies_between_two_nudges() {
    let nudged = Webhook { mode: WebhookMode::Nudge, ..webhook("wh_1") };
    let fixture = Fixture::with(Receiver::responding(&["200 OK"]).await, nudged).await;
    let Fixture { receiver, served, deliveries, .. } = fixture;
    let serving = tokio::spawn(serve(Arc::new(deliveries)));
    let context = build::context::<()>(&served, Actor::CommandLine, noon());
    let mut number = 0;
    while receiver.requests().len() < 3 {
        number += 1;
        let change = build::user_change(&format!("u{number}"));
        context.write(ChangeUser { change, now: noon() }).await.unwrap();
        sleep(Duration::from_millis(10)).await;
        assert!(number < 2_000, "no nudge comes");
    }
    let requests = receiver.requests();
    for pair in requests.windows(2) {
        let gap = pair[1].at.duration_since(pair[0].at);
        assert!(gap >= Duration::from_secs(1), "{gap:?}");
    }
    assert_ne!(requests[0].id, requests[1].id);
    serving.abort();
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
