use pointbook_domain::{Cursor, Feed, Webhook, WebhookProgress, WebhookState};
use pointbook_points::members::put::ChangeUser;
use pointbook_store::Actor;
use pointbook_testkit::build::{at, blocked, noon, webhook};
use pointbook_testkit::{Receiver, build};

use super::*;
use crate::webhooks::deliver::tests::fixture::{Fixture, add_users};
use crate::webhooks::manage::{AddWebhook, WebhookChange, WebhookStatus, webhooks_to_deliver};

mod limits;
mod times;

const FEED: Feed = Feed { generation: 1, last_position: 9, removed_position: 0 };

/// When a delivery is due at noon.
fn due(webhook: Webhook, progress: Option<WebhookProgress>, feed: Feed) -> Due {
    due_in(&WebhookStatus { webhook, progress, feed }, noon())
}

#[test]
fn a_delivery_is_due_when_the_feed_has_more() {
    const NOW: Due = Due::In(Duration::ZERO);
    let new = || webhook("wh_1");
    let at_end = WebhookProgress { position: 9, ..WebhookProgress::begin(&new(), None) };
    assert_eq!(due(new(), None, FEED), NOW);
    assert_eq!(due(new(), None, Feed::EMPTY), Due::AtNextWrite);
    assert_eq!(due(new(), Some(at_end.clone()), FEED), Due::AtNextWrite);
    assert_eq!(due(new(), Some(at_end.clone()), Feed { generation: 2, ..FEED }), NOW);
    assert_eq!(due(new(), Some(at_end), Feed { last_position: 10, ..FEED }), NOW);
    let older = || Webhook { start_generation: 7, start_position: 5, ..new() };
    assert_eq!(due(older(), None, Feed::EMPTY), Due::AtNextWrite, "its feed may still be copied");
    let state = |state| Webhook { state, ..new() };
    assert_eq!(due(state(WebhookState::Failing), None, FEED), NOW);
    assert_eq!(due(state(WebhookState::Disabled), None, FEED), Due::Never);
}

#[test]
fn a_failed_delivery_is_due_at_its_retry() {
    let new = || webhook("wh_1");
    assert_eq!(due(new(), Some(blocked(&new(), 3)), FEED), Due::In(Duration::from_secs(5)));
    let past = WebhookProgress { retry_at: Some(at(-1)), ..blocked(&new(), 3) };
    assert_eq!(due(new(), Some(past), FEED), Due::In(Duration::ZERO));
}

/// Webhooks and events of each tenant, before the start and after it.
#[tokio::test]
async fn events_are_delivered_as_they_are_written() {
    let fixture = Fixture::new(Receiver::responding(&["200 OK"]).await).await;
    fixture.add_users(["a"]).await;
    let Fixture { receiver, store, served, deliveries, .. } = fixture;
    let deliveries = Arc::new(deliveries);
    let serving = tokio::spawn(serve(deliveries.clone()));
    receiver.arrived(1).await;
    let context = build::context::<()>(&served, Actor::CommandLine, noon());
    context.write(ChangeUser { change: build::user_change("b"), now: noon() }).await.unwrap();
    receiver.arrived(2).await;
    // Another tenant comes.
    let other = build::tenant("other");
    store.database.insert_tenant(&other, &[]).await.unwrap();
    deliveries.service.reload_tenants().await.unwrap();
    let data = deliveries.tenant(&other.id).unwrap().data.clone();
    data.write(AddWebhook(Webhook { url: receiver.url(), ..webhook("wh_1") })).await.unwrap();
    add_users(&*data, ["c"]).await;
    receiver.arrived(3).await;
    assert_eq!(receiver.ids(), ["evt_1_1", "evt_1_2", "evt_1_1"]);
    deliveries.stop(Duration::from_mins(1));
    serving.await.unwrap();
}

/// No write wakes the process at that time.
#[tokio::test]
async fn a_retry_needs_no_write() {
    let fixture = Fixture::new(Receiver::responding(&["503 Busy\r\nretry-after: 1", "200 OK"]).await).await;
    fixture.add_users(["a"]).await;
    fixture.change(WebhookChange::Rewind(Cursor { generation: 1, position: 0 })).await;
    let Fixture { receiver, clock, deliveries, served, .. } = fixture;
    let serving = tokio::spawn(serve(Arc::new(deliveries)));
    receiver.arrived(1).await;
    let failed = async {
        while crate::webhooks::manage::find_progress(&*served.data, "wh_1").await.unwrap().unwrap().failures
            == 0
        {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_mins(1), failed).await.unwrap();
    clock.advance_seconds(2);
    receiver.arrived(2).await;
    assert_eq!(receiver.ids(), ["evt_1_1", "evt_1_1"]);
    serving.abort();
}

/// Positions of events on the target of a copy would differ from those of the source.
#[tokio::test]
async fn disabled_webhooks_give_no_positions() {
    let fixture = Fixture::new(Receiver::responding(&["410 Gone"]).await).await;
    fixture.add_users(["a"]).await;
    fixture.deliver().await;
    let known = crate::feed::newest_feed(fixture.data()).await.unwrap();
    fixture.add_users(["b"]).await;
    let status = webhooks_to_deliver(fixture.data()).await.unwrap().unwrap().remove(0);
    assert_eq!((status.webhook.state, status.feed), (WebhookState::Disabled, known));
    let listed = crate::webhooks::list_webhooks(fixture.data()).await.unwrap().remove(0);
    assert_eq!(listed.feed.last_position, known.last_position + 1, "the back office sees the lag");
}
