//! Facts of webhooks, whose commands read and change whole small tables.

use std::sync::Arc;

use futures_util::future::join_all;
use pointbook_domain::{
    EventType, EventTypes, Timestamp, Webhook, WebhookAttempt, WebhookMode, WebhookProgress, WebhookState,
};
use pointbook_events::webhooks::{
    AddWebhook, ChangeWebhook, MAX_ATTEMPT_AGE_DAYS, RemoveWebhook, WebhookChange, WebhookFields,
    WebhookOutcome, list_attempts, list_webhooks, show_webhook,
};
use pointbook_store::StoreError;
use pointbook_store::ports::{Database, Once, Query, TenantData, read_all};
use pointbook_store::schema::{WEBHOOK_ATTEMPTS, WEBHOOK_PROGRESS};

use super::add_tenant;
use super::audit_log::{log, write};
use super::feed::told;
use crate::build;
use crate::build::{attempt, blocked, noon, on_day, request_key, webhook};
use crate::filled::rows;

/// The fields of a webhook for orders.
fn of_orders() -> WebhookFields {
    WebhookFields {
        url: "https://hooks.example/orders".to_owned(),
        types: EventTypes(vec![EventType::OrderPlaced]),
        mode: WebhookMode::Nudge,
        lanes: 8,
        is_enabled: true,
    }
}

pub(super) fn stored(outcome: WebhookOutcome) -> Webhook {
    let WebhookOutcome::Stored(webhook) = outcome else { panic!("{outcome:?}") };
    *webhook
}

async fn change(data: &Arc<dyn TenantData>, id: &str, change: WebhookChange) -> WebhookOutcome {
    write(data, ChangeWebhook { id: id.to_owned(), change, at: on_day(1) }).await
}

/// The webhooks as commands stored them.
pub(super) async fn webhooks(data: &Arc<dyn TenantData>) -> Vec<Webhook> {
    list_webhooks(&**data).await.unwrap().into_iter().map(|status| status.webhook).collect()
}

async fn put_progress(data: &Arc<dyn TenantData>, progress: &WebhookProgress) {
    let written = data.write_rows(&WEBHOOK_PROGRESS, &rows(std::slice::from_ref(progress))).await;
    assert_eq!(written.unwrap(), 1);
}

async fn put_attempts(data: &Arc<dyn TenantData>, attempts: &[WebhookAttempt]) {
    data.write_rows(&WEBHOOK_ATTEMPTS, &rows(attempts)).await.unwrap();
}

/// Each command sees the rows that the commands before it left.
pub async fn webhooks_are_added_changed_and_removed(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    assert_eq!(list_webhooks(&*data).await.unwrap(), []);
    let [first, second] = ["wh_1", "wh_2"].map(webhook);
    for new in [&second, &first] {
        assert_eq!(stored(write(&data, AddWebhook(new.clone())).await), *new);
    }
    assert_eq!(webhooks(&data).await, [first.clone(), second.clone()]);
    let fields = of_orders();
    let changed = stored(change(&data, "wh_1", WebhookChange::Put(fields.clone())).await);
    let WebhookFields { url, types, mode, lanes, is_enabled: _ } = fields;
    // Another URL begins an epoch at the same cursor, so that failures of the old receiver do not count.
    let epoch = first.epoch + 1;
    assert_eq!(changed, Webhook { url, types, mode, lanes, epoch, ..first });
    assert_eq!(webhooks(&data).await, [changed, second.clone()]);
    assert_eq!(write(&data, RemoveWebhook("wh_1".to_owned())).await, WebhookOutcome::Removed);
    assert_eq!(webhooks(&data).await, [second]);
    for _ in 0..2 {
        let removed = write(&data, RemoveWebhook("wh_1".to_owned())).await;
        assert_eq!(removed, WebhookOutcome::NotFound);
        let put = change(&data, "wh_1", WebhookChange::Put(of_orders())).await;
        assert_eq!(put, WebhookOutcome::NotFound);
    }
    let other = add_tenant(&database, "other").await;
    assert_eq!(webhooks(&other).await, []);
    assert_eq!(change(&other, "wh_2", WebhookChange::Skip(1)).await, WebhookOutcome::NotFound);
}

/// A webhook has no progress and no attempts after its removal, and others keep theirs.
pub async fn a_removed_webhook_takes_its_progress_along(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let both = ["wh_1", "wh_2"].map(webhook);
    for webhook in &both {
        write(&data, AddWebhook(webhook.clone())).await;
        put_progress(&data, &blocked(webhook, 3)).await;
        put_attempts(&data, &[attempt(webhook, 1), attempt(webhook, 1_001)]).await;
    }
    write(&data, RemoveWebhook("wh_1".to_owned())).await;
    let progress = Query::of::<WebhookProgress>("progress", &["webhook_id"]);
    let progress: Vec<WebhookProgress> = read_all(&*data, progress).await.unwrap();
    assert_eq!(progress, [blocked(&both[1], 3)]);
    let attempts = Query::of::<WebhookAttempt>("attempts", &["webhook_id", "slot"]);
    let attempts: Vec<WebhookAttempt> = read_all(&*data, attempts).await.unwrap();
    assert_eq!(attempts, [attempt(&both[1], 1), attempt(&both[1], 1_001)]);
    write(&data, AddWebhook(both[0].clone())).await;
    assert_eq!(show_webhook(&*data, "wh_1").await.unwrap().unwrap().progress, None);
}

/// Changes of different webhooks at the same time all count.
pub async fn changes_of_webhooks_at_once_lose_nothing(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    for id in ["wh_1", "wh_2", "wh_3"] {
        write(&data, AddWebhook(webhook(id))).await;
    }
    let writers = (0..30_u32).map(|number| {
        let (data, id) = (data.clone(), format!("wh_{}", number % 3 + 1));
        let cursor = pointbook_domain::Cursor { generation: 1, position: u64::from(number) };
        tokio::spawn(async move { change(&data, &id, WebhookChange::Rewind(cursor)).await })
    });
    join_all(writers).await.into_iter().for_each(|outcome| drop(stored(outcome.unwrap())));
    let epochs: Vec<_> = webhooks(&data).await.iter().map(|webhook| webhook.epoch).collect();
    assert_eq!(epochs, [11, 11, 11]);
}

/// Neither the row, nor the entry of the audit log, nor the event.
pub async fn a_failed_change_of_a_webhook_leaves_nothing(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    write(&data, AddWebhook(webhook("wh_1"))).await;
    let before = (webhooks(&data).await, log(&data).await, told(&data).await);
    let disable = WebhookChange::Put(WebhookFields { is_enabled: false, ..of_orders() });
    let command = ChangeWebhook { id: "wh_1".to_owned(), change: disable.clone(), at: noon() };
    let answer = Arc::new(|_: &WebhookOutcome| None);
    let once = Some(Once { key: request_key("k", 1), now: noon(), answer });
    let failed = data.execute_by(Some(build::author()), command, once).await;
    assert!(matches!(failed, Err(StoreError::Failed(_))));
    assert_eq!((webhooks(&data).await, log(&data).await, told(&data).await), before);
    stored(change(&data, "wh_1", disable).await);
    assert_eq!((log(&data).await.len(), told(&data).await.len()), (before.1.len() + 1, before.2.len() + 1));
}

/// Every change is one entry, and no entry has a secret.
pub async fn a_change_of_a_webhook_is_in_the_audit_log(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    write(&data, AddWebhook(webhook("wh_1"))).await;
    change(&data, "wh_1", WebhookChange::Put(of_orders())).await;
    change(&data, "wh_1", WebhookChange::Put(of_orders())).await;
    change(&data, "wh_1", WebhookChange::Rotate(build::webhook_secret('B'))).await;
    let (state, because) = (WebhookState::Failing, None);
    change(&data, "wh_1", WebhookChange::State { epoch: 2, failing_since: None, state, because }).await;
    write(&data, RemoveWebhook("wh_1".to_owned())).await;
    write(&data, RemoveWebhook("wh_1".to_owned())).await;
    let entries = log(&data).await;
    let operations: Vec<_> = entries.iter().map(|entry| entry.new.operation.as_str()).collect();
    let changed = ["webhook.change", "webhook.rotate_secret", "webhook.state"];
    assert_eq!(operations, [&["webhook.add"], &changed[..], &["webhook.remove"]].concat());
    let until = on_day(2);
    let rotated = &entries[2].new;
    assert_eq!(rotated.object, "webhook:wh_1");
    assert_eq!(rotated.before.as_deref(), Some(r#"{"previous_secret_until":null}"#));
    assert_eq!(rotated.after, Some(format!(r#"{{"previous_secret_until":"{until}"}}"#)));
    let all = format!("{entries:?}");
    for secret in ["whsec_", "AAAA", "BBBB"] {
        assert!(!all.contains(secret), "{all}");
    }
}

/// The attempts of the last days come newest first.
pub async fn attempts_of_a_webhook_are_listed(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let (one, other) = (webhook("wh_1"), webhook("wh_2"));
    for webhook in [&one, &other] {
        write(&data, AddWebhook(webhook.clone())).await;
    }
    let at = |slot: u32, at: Timestamp| WebhookAttempt { at, ..attempt(&one, slot) };
    let accepted = WebhookAttempt { status: Some(204), error: None, ..at(1, on_day(9)) };
    let now = on_day(10);
    let age = i64::from(MAX_ATTEMPT_AGE_DAYS);
    let last = at(3, on_day(10 - age));
    let all = [at(1_001, on_day(9 - age)), last.clone(), at(1_002, on_day(9)), accepted.clone()];
    put_attempts(&data, &all).await;
    put_attempts(&data, &[attempt(&other, 1)]).await;
    let listed = async |id: &str, limit| list_attempts(&*data, id, limit, now).await.unwrap();
    assert_eq!(listed("wh_1", 9).await.unwrap(), [at(1_002, on_day(9)), accepted, last]);
    assert_eq!(listed("wh_1", 1).await.unwrap(), [at(1_002, on_day(9))]);
    assert_eq!(listed("wh_3", 9).await, None);
}
