//! What a change makes of a webhook.

use pointbook_testkit::build::{DAY_MICROS, at, blocked, noon, on_day, webhook, webhook_secret};

use super::*;

/// The webhook after a change on day 1. `None` when the change does not fit.
fn changed(webhook: &Webhook, progress: Option<&WebhookProgress>, change: WebhookChange) -> Option<Webhook> {
    let mut after = webhook.clone();
    let change = ChangeWebhook { id: webhook.id.clone(), change, at: on_day(1) };
    change.apply(&mut after, progress).then_some(after)
}

/// The same fields, enabled or not.
fn enabled(webhook: &Webhook, is_enabled: bool) -> WebhookChange {
    let Webhook { url, types, mode, lanes, .. } = webhook.clone();
    WebhookChange::Put(WebhookFields { url, types, mode, lanes, is_enabled })
}

/// A process may decide about an earlier epoch, or about a failure that is over by now or was not the first one.
#[test]
fn only_the_present_failure_of_the_present_epoch_decides_the_state() {
    let webhook = webhook("wh_1");
    let progress = blocked(&webhook, 3);
    let failing = |epoch, failing_since| WebhookChange::State {
        epoch,
        failing_since,
        state: WebhookState::Failing,
        because: None,
    };
    for (epoch, failing_since, expected) in [
        (0, Some(noon()), WebhookState::Active),
        (1, None, WebhookState::Active),
        (1, Some(at(-1)), WebhookState::Active),
        (1, Some(noon()), WebhookState::Failing),
    ] {
        let after = changed(&webhook, Some(&progress), failing(epoch, failing_since)).unwrap();
        assert_eq!(after.state, expected, "{epoch} {failing_since:?}");
    }
    let disabled = Webhook { state: WebhookState::Disabled, ..webhook };
    let after = changed(&disabled, Some(&progress), failing(1, Some(noon())));
    assert_eq!(after, Some(disabled), "only the back office enables it");
}

/// A rewound webhook gets another chance. A delivery that began before may still write its progress.
#[test]
fn a_new_cursor_ends_failing_and_earlier_progress() {
    let cursor = Cursor { generation: 1, position: 7 };
    for (state, expected) in [
        (WebhookState::Active, WebhookState::Active),
        (WebhookState::Failing, WebhookState::Active),
        (WebhookState::Disabled, WebhookState::Disabled),
    ] {
        let webhook = Webhook { state, ..webhook("wh_1") };
        let progress = blocked(&webhook, 9);
        let after = changed(&webhook, Some(&progress), WebhookChange::Rewind(cursor)).unwrap();
        assert_eq!((after.state, after.epoch, after.cursor(Some(&progress))), (expected, 2, cursor));
    }
}

#[test]
fn only_the_failed_event_is_skipped() {
    let webhook = webhook("wh_1");
    let progress = blocked(&webhook, 3);
    let skip = |webhook, progress, position| changed(webhook, progress, WebhookChange::Skip(position));
    assert_eq!(skip(&webhook, None, 3), None, "nothing was delivered");
    for position in [2, 4] {
        assert_eq!(skip(&webhook, Some(&progress), position), None);
    }
    let after = skip(&webhook, Some(&progress), 3).unwrap();
    assert_eq!((after.epoch, after.cursor(Some(&progress))), (2, Cursor { generation: 1, position: 3 }));
    assert_eq!(skip(&after, Some(&progress), 3), None, "the failure belongs to an earlier epoch");
    let moved = WebhookProgress { failed_position: None, ..progress.clone() };
    assert_eq!(skip(&webhook, Some(&moved), 3), None, "the last delivery succeeded");
}

/// Deliveries go on where they stopped, without the failures.
#[test]
fn an_enabled_webhook_continues_at_its_cursor() {
    let first = webhook("wh_1");
    let progress = blocked(&first, 3);
    let disabled = changed(&first, Some(&progress), enabled(&first, false)).unwrap();
    assert_eq!((disabled.epoch, disabled.disabled_because), (1, Some(DisabledBecause::Request)));
    let now = changed(&disabled, Some(&progress), enabled(&disabled, true)).unwrap();
    assert_eq!((now.epoch, now.start_generation, now.start_position), (2, 1, 2));
    assert_eq!((now.state, now.disabled_because, now.state_since), (WebhookState::Active, None, on_day(1)));
    let expected = WebhookProgress { failed_count: 1, ..WebhookProgress::begin(&now, None) };
    assert_eq!(WebhookProgress::current(&now, Some(progress)), expected);
    let gone = Some(DisabledBecause::Gone);
    let gone = Webhook { state: WebhookState::Disabled, disabled_because: gone, ..now.clone() };
    for (webhook, is_enabled) in [(now, true), (gone, false)] {
        let same = changed(&webhook, None, enabled(&webhook, is_enabled));
        assert_eq!(same, Some(webhook), "it was so already");
    }
}

/// Receivers have a day to learn the new secret. Only one earlier secret is kept.
#[test]
fn a_previous_secret_signs_for_a_day() {
    let rotated = |webhook: &Webhook, letter| {
        changed(webhook, None, WebhookChange::Rotate(webhook_secret(letter))).unwrap()
    };
    let [first, second, third] = ['A', 'B', 'C'].map(webhook_secret);
    let now = rotated(&webhook("wh_1"), 'B');
    assert_eq!(now.secrets_at(at(2 * DAY_MICROS - 1)), (&second, Some(&first)));
    assert_eq!(now.secrets_at(on_day(2)), (&second, None));
    assert_eq!(rotated(&now, 'C').secrets_at(on_day(1)), (&third, Some(&second)));
}
