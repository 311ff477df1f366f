//! Tests of the states that follow from deliveries.

use pointbook_domain::{DisabledBecause, FeedBlock, WebhookState};
use pointbook_store::ports::{Query, read_all};
use pointbook_testkit::Receiver;
use pointbook_testkit::build::{noon, on_day};

use super::fixture::Fixture;
use crate::feed::newest_feed;
use crate::webhooks::manage::{WebhookChange, WebhookFields};

const HOUR: u32 = 3_600;

/// The types of the events about webhooks.
async fn told(fixture: &Fixture) -> Vec<&'static str> {
    newest_feed(fixture.data()).await.unwrap();
    let blocks = Query::of::<FeedBlock>("feed_blocks", &["last_position"]);
    let blocks: Vec<FeedBlock> = read_all(fixture.data(), blocks).await.unwrap();
    let entries = blocks.iter().flat_map(|block| &block.entries);
    entries.filter(|entry| entry.kind.is_webhook()).map(|entry| entry.kind.as_str()).collect()
}

async fn state(fixture: &Fixture) -> (WebhookState, Option<DisabledBecause>) {
    let webhook = fixture.status().await.webhook;
    (webhook.state, webhook.disabled_because)
}

#[tokio::test]
async fn a_webhook_fails_after_an_hour_and_is_disabled_after_five_days() {
    let fixture = Fixture::new(Receiver::responding(&["500 Broken"]).await).await;
    fixture.add_users(["a"]).await;
    for (seconds, expected) in
        [(0, WebhookState::Active), (HOUR, WebhookState::Failing), (120 * HOUR, WebhookState::Disabled)]
    {
        fixture.clock.set(noon().plus_seconds(seconds));
        fixture.deliver().await;
        assert_eq!(state(&fixture).await.0, expected, "{seconds}");
    }
    assert_eq!(fixture.sent(), [1; 3]);
    assert_eq!(state(&fixture).await.1, Some(DisabledBecause::Failures));
    assert_eq!(told(&fixture).await, ["webhook.failing", "webhook.disabled"]);
    fixture.clock.set(on_day(9));
    fixture.deliver().await;
    assert_eq!(fixture.sent().len(), 3, "it gets no more requests");
}

#[tokio::test]
async fn a_success_makes_a_failing_webhook_active() {
    let fixture = Fixture::new(Receiver::responding(&["500 Broken", "500 Broken", "204 Fine"]).await).await;
    fixture.add_users(["a"]).await;
    for seconds in [0, 2 * HOUR] {
        fixture.clock.set(noon().plus_seconds(seconds));
        fixture.deliver().await;
    }
    assert_eq!(state(&fixture).await, (WebhookState::Failing, None));
    fixture.clock.set(noon().plus_seconds(4 * HOUR));
    fixture.deliver().await;
    assert_eq!(state(&fixture).await, (WebhookState::Active, None));
    // The receiver got the event about its own failure as well.
    assert_eq!(fixture.sent(), [1, 1, 1, 2]);
    assert_eq!(told(&fixture).await, ["webhook.failing"]);
}

#[tokio::test]
async fn a_receiver_that_is_gone_disables_its_webhook_until_the_back_office_enables_it() {
    let fixture = Fixture::new(Receiver::responding(&["200 OK", "410 Gone", "200 OK"]).await).await;
    fixture.add_users(["a", "b", "c"]).await;
    fixture.deliver().await;
    assert_eq!(state(&fixture).await, (WebhookState::Disabled, Some(DisabledBecause::Gone)));
    assert_eq!((fixture.sent(), fixture.status().await.cursor().position), (vec![1, 2], 1));
    assert_eq!(told(&fixture).await, ["webhook.disabled"]);
    let webhook = fixture.status().await.webhook;
    let (url, types, mode, lanes) = (webhook.url, webhook.types, webhook.mode, webhook.lanes);
    let fields = WebhookFields { url, types, mode, lanes, is_enabled: true };
    fixture.change(WebhookChange::Put(fields.clone())).await;
    fixture.deliver().await;
    assert_eq!(fixture.sent(), [1, 2, 2, 3, 4], "at once, and in order");
    assert_eq!(fixture.progress().await.failed_count, 1);
    fixture.change(WebhookChange::Put(WebhookFields { is_enabled: false, ..fields })).await;
    assert_eq!(told(&fixture).await, ["webhook.disabled"; 2]);
}
