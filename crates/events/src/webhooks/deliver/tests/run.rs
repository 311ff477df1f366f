//! Tests of single runs.

use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use pointbook_domain::webhook::PREVIOUS_SECRET_SECONDS;
use pointbook_domain::{
    Cursor, DisabledBecause, Environment, EventType, EventTypes, Tenant, Webhook, WebhookMode,
    WebhookProgress, WebhookState,
};
use pointbook_store::ports::TenantData;
use pointbook_store::tenants::set_clock::{ClockTarget, SetClock};
use pointbook_testkit::build::{noon, webhook, webhook_secret};
use pointbook_testkit::{Receiver, build};
use serde_json::{Value, json};

use super::fixture::{Fixture, change_of};
use crate::feed::RemoveBlocks;
use crate::webhooks::manage::{AddWebhook, WebhookChange, WebhookStatus, webhooks_to_deliver};

const OK: &str = "200 OK";
const BROKEN: &str = "500 Broken";

#[tokio::test]
async fn all_events_are_delivered_once() {
    let fixture = Fixture::new(Receiver::responding(&[OK]).await).await;
    fixture.add_users(["a", "b", "c"]).await;
    fixture.deliver().await;
    fixture.deliver().await;
    assert_eq!(fixture.sent(), [1, 2, 3]);
    let first: Value = serde_json::from_str(&fixture.receiver.requests()[0].body).unwrap();
    let expected = json!({
        "id": "evt_1_1", "position": 1, "type": "user.created", "timestamp": "2024-02-29T12:00:00.000000Z",
        "data": { "user_id": "a" },
    });
    assert_eq!(first, expected);
    let status = fixture.status().await;
    let new = WebhookProgress::begin(&status.webhook, None);
    let expected = WebhookProgress { position: 3, delivered_count: 3, lease_number: 1, ..new };
    assert_eq!((status.lag(), status.progress), (0, Some(expected)));
    assert_eq!(fixture.attempts().await.len(), 3);
    fixture.add_users(["d"]).await;
    fixture.deliver().await;
    assert_eq!(fixture.sent(), [1, 2, 3, 4]);
}

#[tokio::test]
async fn events_of_other_types_are_passed() {
    let types = EventTypes(vec![EventType::TransactionRecorded]);
    let receiver = Receiver::responding(&[OK]).await;
    let fixture = Fixture::with(receiver, Webhook { types, ..webhook("wh_1") }).await;
    fixture.add_users(["a", "b"]).await;
    fixture.deliver().await;
    assert_eq!((fixture.sent().len(), fixture.status().await.lag()), (0, 0));
    fixture
        .served
        .data
        .write(build::history([build::recorded("a", build::activity("s-1", 5))]))
        .await
        .unwrap();
    fixture.add_users(["c"]).await;
    fixture.deliver().await;
    assert_eq!((fixture.sent(), fixture.status().await.lag()), (vec![3], 0));
}

/// Later events would hide the failures.
#[tokio::test]
async fn only_the_failed_event_is_tried_again() {
    let receiver = Receiver::start(|id| async move { if id == "evt_1_1" { BROKEN } else { OK } }).await;
    let fixture = Fixture::with(receiver, Webhook { lanes: 8, ..webhook("wh_1") }).await;
    let users: Vec<String> = (0..50).map(|number| format!("u{number}")).collect();
    fixture.add_users(users.iter().map(String::as_str)).await;
    fixture.deliver().await;
    let first = fixture.sent().len();
    for failures in 2..5 {
        let before = fixture.progress().await;
        fixture.clock.set(before.retry_at.unwrap());
        fixture.deliver().await;
        let progress = fixture.progress().await;
        assert_eq!((progress.failures, progress.position), (failures, 0));
        assert_eq!(progress.failing_since, Some(noon()), "later events hide no failure");
        assert!(progress.retry_at > before.retry_at);
    }
    assert_eq!(fixture.sent()[first..], [1, 1, 1]);
}

#[tokio::test]
async fn nothing_is_sent_before_the_retry() {
    let fixture = Fixture::new(Receiver::responding(&[OK, "503 Busy\r\nretry-after: 60", OK]).await).await;
    fixture.add_users(["a", "b", "c"]).await;
    fixture.deliver().await;
    assert_eq!(fixture.sent(), [1, 2]);
    let progress = fixture.progress().await;
    assert_eq!((progress.position, progress.failed_position), (1, Some(2)));
    assert_eq!(progress.retry_at, Some(noon().plus_seconds(60)));
    fixture.clock.advance_seconds(59);
    fixture.deliver().await;
    assert_eq!(fixture.sent(), [1, 2]);
    fixture.clock.advance_seconds(1);
    fixture.deliver().await;
    assert_eq!(fixture.sent(), [1, 2, 2, 3]);
    let now = fixture.progress().await;
    assert_eq!((now.position, now.failures, now.retry_at, now.failing_since), (3, 0, None, None));
    assert_eq!((now.delivered_count, now.failed_count), (3, 1));
}

#[tokio::test]
async fn a_nudge_names_the_newest_event() {
    let receiver = Receiver::responding(&[BROKEN, OK]).await;
    let fixture = Fixture::with(receiver, Webhook { mode: WebhookMode::Nudge, ..webhook("wh_1") }).await;
    fixture.deliver().await;
    assert!(fixture.sent().is_empty());
    fixture.add_users(["a", "b"]).await;
    fixture.deliver().await;
    assert_eq!((fixture.progress().await.position, fixture.progress().await.failures), (0, 1));
    fixture.clock.advance_seconds(10);
    fixture.deliver().await;
    assert_eq!(fixture.receiver.ids(), ["nudge_1_2", "nudge_1_2"]);
    assert_eq!((fixture.progress().await.position, fixture.progress().await.failures), (2, 0));
    let body: Value = serde_json::from_str(&fixture.receiver.requests()[1].body).unwrap();
    let latest = Cursor { generation: 1, position: 2 }.to_string();
    assert_eq!(
        (body["type"].as_str(), body["data"]["latest"].as_str()),
        (Some("feed.advanced"), Some(latest.as_str()))
    );
}

/// A process that sees a webhook while its tenant is being copied would give positions that the source gives to other events.
#[tokio::test]
async fn deliveries_give_no_positions_before_the_feed_is_copied() {
    let fixture = Fixture::empty().await;
    fixture.put_row(&webhook("wh_1")).await;
    fixture.add_users(["a"]).await;
    assert_eq!(webhooks_to_deliver(fixture.data()).await.unwrap(), None);
    assert_eq!(crate::feed::find_feed(fixture.data()).await.unwrap(), None);
    // A webhook that the back office adds opens the feed.
    fixture.served.data.write(AddWebhook(webhook("wh_2"))).await.unwrap();
    let seen = webhooks_to_deliver(fixture.data()).await.unwrap().unwrap();
    assert_eq!(seen.iter().map(WebhookStatus::lag).collect::<Vec<_>>(), [1, 1]);
}

/// The receiver would get a feed with a gap.
#[tokio::test]
async fn removed_events_disable_the_webhook() {
    let fixture = Fixture::new(Receiver::responding(&[OK]).await).await;
    fixture.add_users(["a", "b", "c"]).await;
    fixture.status().await;
    let removal = RemoveBlocks { from_position: 0, to_position: 2 };
    fixture.served.data.write(removal).await.unwrap();
    fixture.deliver().await;
    assert!(fixture.sent().is_empty());
    let webhook = fixture.status().await.webhook;
    assert_eq!(webhook.state, WebhookState::Disabled);
    assert_eq!(webhook.disabled_because, Some(DisabledBecause::EventsRemoved));
}

/// The webhook of a restored backup has the cursor of an older generation of the feed.
#[tokio::test]
async fn a_restored_webhook_continues_at_its_position() {
    let receiver = Receiver::responding(&[OK]).await;
    let older = Webhook { start_generation: 7, start_position: 1, ..webhook("wh_1") };
    let fixture = Fixture::with(receiver, older).await;
    fixture.add_users(["a", "b"]).await;
    fixture.deliver().await;
    assert_eq!(fixture.receiver.ids(), ["evt_1_2"]);
    assert_eq!(fixture.status().await.cursor(), Cursor { generation: 1, position: 2 });
}

/// What the receiver does while it has the first event.
async fn during_delivery<F: Future<Output = ()> + Send + 'static>(
    work: impl Fn(Arc<dyn TenantData>) -> F + Send + Sync + 'static,
) -> Fixture {
    let data: Arc<OnceLock<Arc<dyn TenantData>>> = Arc::default();
    let (known, work) = (data.clone(), Mutex::new(Some(work)));
    let receiver = Receiver::start(move |_| {
        let begun = work.lock().unwrap().take().map(|work| work(known.get().unwrap().clone()));
        async move {
            if let Some(begun) = begun {
                begun.await;
            }
            OK
        }
    })
    .await;
    let fixture = Fixture::new(receiver).await;
    assert!(data.set(fixture.served.data.clone()).is_ok());
    fixture.add_users(["a", "b", "c"]).await;
    fixture
}

/// The next run begins at the cursor that the back office set meanwhile.
#[tokio::test]
async fn a_new_cursor_counts_during_a_run() {
    let rewound = WebhookChange::Rewind(Cursor { generation: 1, position: 2 });
    let fixture = during_delivery(move |data| {
        let rewound = rewound.clone();
        async move { change_of(&*data, rewound).await }
    })
    .await;
    fixture.deliver().await;
    fixture.deliver().await;
    assert_eq!(fixture.sent(), [1, 2, 3, 3]);
    let progress = fixture.progress().await;
    assert_eq!((progress.epoch, progress.position, progress.delivered_count), (2, 3, 4));
}

/// How many signatures each request has.
fn signatures(fixture: &Fixture) -> Vec<usize> {
    fixture.receiver.requests().iter().map(|request| request.signature.split(' ').count()).collect()
}

/// A batch begins no event later than a second after its start. Then both secrets sign.
#[tokio::test]
async fn a_rotation_counts_during_a_run() {
    let fixture = during_delivery(|data| async move {
        change_of(&*data, WebhookChange::Rotate(webhook_secret('B'))).await;
        tokio::time::sleep(Duration::from_millis(1_100)).await;
    })
    .await;
    fixture.deliver().await;
    assert_eq!((fixture.sent(), signatures(&fixture)), (vec![1, 2, 3], vec![1, 2, 2]));
}

/// The back office set the end of the secret by the clock of the tenant.
#[tokio::test]
async fn a_previous_secret_ends_by_the_virtual_clock() {
    let environment = Environment::Staging;
    let tenant = Tenant { environment, ..build::tenant("acme") };
    let rotated = Webhook {
        previous_secret: Some(webhook_secret('B')),
        previous_secret_until: Some(build::on_day(4)),
        ..webhook("wh_1")
    };
    let mut fixture = Fixture::of(tenant, Receiver::responding(&[OK]).await, rotated).await;
    let set_clock = SetClock { environment, real_now: noon(), target: ClockTarget::At(build::on_day(3)) };
    fixture.served.data.write(set_clock).await.unwrap();
    fixture.deliveries.service.reload_tenants().await.unwrap();
    fixture.served = fixture.deliveries.service.directory().tenants()[0].clone();
    for seconds in [PREVIOUS_SECRET_SECONDS - 1, PREVIOUS_SECRET_SECONDS] {
        fixture.clock.set(noon().plus_seconds(seconds));
        fixture.add_users([format!("u{seconds}").as_str()]).await;
        fixture.deliver().await;
    }
    assert_eq!(signatures(&fixture), [2, 1]);
}
