//! Facts of the states, cursors and secrets of webhooks.

use std::sync::Arc;

use pointbook_app::ports::{Database, TenantData};
use pointbook_deliveries::{AddWebhook, WebhookChange, WebhookFields, WebhookOutcome, show_webhook};
use pointbook_domain::webhook::PREVIOUS_SECRET_SECONDS;
use pointbook_domain::{Cursor, DisabledBecause, Webhook, WebhookProgress, WebhookSecret, WebhookState};

use super::add_tenant;
use super::audit_log::{log, write};
use super::feed::told;
use super::webhooks::{change, put_progress, stored};
use crate::build::{DAY_MICROS, at, blocked, noon, on_day, webhook, webhook_secret};

async fn with_webhook(database: &Arc<dyn Database>) -> Arc<dyn TenantData> {
    let data = add_tenant(database, "acme").await;
    write(&data, AddWebhook(webhook("wh_1"))).await;
    data
}

/// The state that follows from deliveries in this epoch, without a failure.
fn state(epoch: u64, state: WebhookState, because: Option<DisabledBecause>) -> WebhookChange {
    WebhookChange::State { epoch, failing_since: None, state, because }
}

/// The same fields, enabled or not.
fn enabled(webhook: &Webhook, is_enabled: bool) -> WebhookChange {
    let Webhook { url, types, mode, lanes, .. } = webhook.clone();
    WebhookChange::Put(WebhookFields { url, types, mode, lanes, is_enabled })
}

async fn cursor(data: &Arc<dyn TenantData>) -> (u64, u64) {
    let Cursor { generation, position } = show_webhook(&**data, "wh_1").await.unwrap().unwrap().cursor();
    (generation, position)
}

/// Integrators learn from the feed when a webhook fails, and that it is disabled. Everything else is no event.
pub async fn a_failing_or_disabled_webhook_is_an_event(database: Arc<dyn Database>) {
    let data = with_webhook(&database).await;
    let gone = Some(DisabledBecause::Gone);
    for (new, because) in [
        (WebhookState::Failing, None),
        (WebhookState::Failing, None),
        (WebhookState::Active, None),
        (WebhookState::Disabled, gone),
        // What a delivery learned late does not enable the webhook.
        (WebhookState::Active, None),
        (WebhookState::Failing, None),
    ] {
        change(&data, "wh_1", state(1, new, because)).await;
    }
    let now = stored(change(&data, "wh_1", enabled(&webhook("wh_1"), false)).await);
    assert_eq!((now.state, now.disabled_because, now.state_since), (WebhookState::Disabled, gone, on_day(1)));
    change(&data, "wh_1", enabled(&now, true)).await;
    let now = stored(change(&data, "wh_1", enabled(&now, false)).await);
    assert_eq!(now.disabled_because, Some(DisabledBecause::Request));
    let expected = ["1 webhook.failing  wh_1", "2 webhook.disabled  wh_1", "3 webhook.disabled  wh_1"];
    assert_eq!(told(&data).await, expected);
    let operations: Vec<_> = log(&data).await.into_iter().skip(1).map(|entry| entry.new.operation).collect();
    let [by_delivery, by_office] = ["webhook.state", "webhook.change"];
    assert_eq!(operations, [by_delivery, by_delivery, by_delivery, by_office, by_office]);
}

/// After the back office has set the cursor, the end of an older delivery changes no state.
pub async fn a_state_of_an_earlier_epoch_changes_nothing(database: Arc<dyn Database>) {
    let data = with_webhook(&database).await;
    let rewound = WebhookChange::Rewind(Cursor { generation: 1, position: 0 });
    let before = stored(change(&data, "wh_1", rewound).await);
    let late = state(1, WebhookState::Disabled, Some(DisabledBecause::Failures));
    assert_eq!(stored(change(&data, "wh_1", late).await), before);
    assert_eq!((before.epoch, before.state), (2, WebhookState::Active));
    assert_eq!(told(&data).await, Vec::<String>::new());
}

/// A process may decide about a failure that is over by now, or that was not the first one.
pub async fn a_state_of_an_earlier_failure_changes_nothing(database: Arc<dyn Database>) {
    let data = with_webhook(&database).await;
    put_progress(&data, &blocked(&webhook("wh_1"), 3)).await;
    let failing = |failing_since| WebhookChange::State {
        epoch: 1,
        failing_since,
        state: WebhookState::Failing,
        because: None,
    };
    for (failing_since, expected) in [
        (None, WebhookState::Active),
        (Some(at(-1)), WebhookState::Active),
        (Some(noon()), WebhookState::Failing),
    ] {
        assert_eq!(stored(change(&data, "wh_1", failing(failing_since)).await).state, expected);
    }
}

/// A rewound webhook gets another chance.
pub async fn a_new_cursor_ends_failing(database: Arc<dyn Database>) {
    let data = with_webhook(&database).await;
    change(&data, "wh_1", state(1, WebhookState::Failing, None)).await;
    let rewound = WebhookChange::Rewind(Cursor { generation: 1, position: 7 });
    let now = stored(change(&data, "wh_1", rewound.clone()).await);
    assert_eq!((now.state, now.epoch, cursor(&data).await), (WebhookState::Active, 2, (1, 7)));
    change(&data, "wh_1", enabled(&now, false)).await;
    let now = stored(change(&data, "wh_1", rewound).await);
    assert_eq!(now.state, WebhookState::Disabled, "only the back office enables it");
}

/// The back office skips the event whose delivery failed, and no other.
pub async fn only_the_failed_event_is_skipped(database: Arc<dyn Database>) {
    let data = with_webhook(&database).await;
    let skipped = async |position| change(&data, "wh_1", WebhookChange::Skip(position)).await;
    assert_eq!(skipped(3).await, WebhookOutcome::NotBlocked, "nothing was delivered");
    put_progress(&data, &blocked(&webhook("wh_1"), 3)).await;
    for position in [2, 4] {
        assert_eq!(skipped(position).await, WebhookOutcome::NotBlocked);
    }
    assert_eq!(cursor(&data).await, (1, 2));
    let now = stored(skipped(3).await);
    assert_eq!((now.epoch, cursor(&data).await), (2, (1, 3)));
    let progress = show_webhook(&*data, "wh_1").await.unwrap().unwrap().progress.unwrap();
    assert_eq!(progress, WebhookProgress { failed_count: 1, ..WebhookProgress::begin(&now, None) });
    assert_eq!(skipped(3).await, WebhookOutcome::NotBlocked, "the failure belongs to an earlier epoch");
    let moved = WebhookProgress { failed_position: None, ..blocked(&now, 5) };
    put_progress(&data, &moved).await;
    assert_eq!(skipped(5).await, WebhookOutcome::NotBlocked, "the last delivery succeeded");
}

/// Deliveries go on where they stopped, without the failures. While the webhook is disabled, the cursor stays.
pub async fn an_enabled_webhook_continues_at_its_cursor(database: Arc<dyn Database>) {
    let data = with_webhook(&database).await;
    let progress = blocked(&webhook("wh_1"), 3);
    put_progress(&data, &progress).await;
    let disabled = stored(change(&data, "wh_1", enabled(&webhook("wh_1"), false)).await);
    assert_eq!((disabled.epoch, cursor(&data).await), (1, (1, 2)));
    let now = stored(change(&data, "wh_1", enabled(&disabled, true)).await);
    assert_eq!((now.epoch, now.start_generation, now.start_position), (2, 1, 2));
    assert_eq!((now.state, now.disabled_because), (WebhookState::Active, None));
    let status = show_webhook(&*data, "wh_1").await.unwrap().unwrap();
    assert_eq!(
        status.progress.unwrap(),
        WebhookProgress { failed_count: 1, ..WebhookProgress::begin(&now, None) }
    );
    let same = stored(change(&data, "wh_1", enabled(&now, true)).await);
    assert_eq!(same, now, "it was enabled already");
}

/// A delivery that began before the back office set the cursor may still write its progress.
pub async fn progress_of_an_earlier_epoch_does_not_count(database: Arc<dyn Database>) {
    let data = with_webhook(&database).await;
    let old = blocked(&webhook("wh_1"), 9);
    put_progress(&data, &old).await;
    assert_eq!(cursor(&data).await, (1, 8));
    let rewound = WebhookChange::Rewind(Cursor { generation: 1, position: 4 });
    let now = stored(change(&data, "wh_1", rewound).await);
    assert_eq!(cursor(&data).await, (1, 4));
    put_progress(&data, &WebhookProgress { position: 11, ..old }).await;
    assert_eq!(cursor(&data).await, (1, 4));
    put_progress(&data, &WebhookProgress { position: 5, ..WebhookProgress::begin(&now, None) }).await;
    assert_eq!(cursor(&data).await, (1, 5));
}

/// Receivers have a day to learn the new secret. Only one earlier secret is kept.
pub async fn a_previous_secret_signs_for_a_day(database: Arc<dyn Database>) {
    let data = with_webhook(&database).await;
    let rotated = async |letter| {
        let rotate = WebhookChange::Rotate(webhook_secret(letter));
        drop(stored(change(&data, "wh_1", rotate).await));
        show_webhook(&*data, "wh_1").await.unwrap().unwrap().webhook
    };
    let now = rotated('B').await;
    let end = on_day(1).plus_seconds(PREVIOUS_SECRET_SECONDS);
    let shown = |webhook: &Webhook, at| {
        let (current, previous) = webhook.secrets_at(at);
        (current.reveal().to_owned(), previous.map(WebhookSecret::reveal).map(str::to_owned))
    };
    let text = |letter| webhook_secret(letter).reveal().to_owned();
    assert_eq!(end, on_day(2));
    assert_eq!(shown(&now, at(2 * DAY_MICROS - 1)), (text('B'), Some(text('A'))));
    assert_eq!(shown(&now, end), (text('B'), None));
    let now = rotated('C').await;
    assert_eq!(shown(&now, on_day(1)), (text('C'), Some(text('B'))));
}
