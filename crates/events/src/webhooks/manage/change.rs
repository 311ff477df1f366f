//! The use cases that change webhooks.

use pointbook_domain::{Cursor, DisabledBecause, Webhook, WebhookState};
use pointbook_store::ports::Execution;
use pointbook_store::{Context, StoreResult};

use super::commands::{
    AddWebhook, ChangeWebhook, NewWebhook, RefuseWebhook, RemoveWebhook, WebhookChange, WebhookFields,
    WebhookOutcome, WebhookRefusal,
};
use crate::feed::newest_feed;
use crate::webhooks::Outbox;

/// Adds a webhook. It begins after the newest event, or after `start`.
///
/// # Errors
/// When the store fails: nothing was added, or the key of the request tells.
pub async fn add_webhook(
    context: &Context<WebhookOutcome>,
    outbox: &Outbox,
    new: NewWebhook,
) -> StoreResult<Execution<WebhookOutcome>> {
    let NewWebhook { id, fields, secret, start } = new;
    let WebhookFields { url, types, mode, lanes, is_enabled } = fields;
    if let Err(refusal) = outbox.check(&url).await {
        return refuse(context, WebhookRefusal::Url(refusal)).await;
    }
    let feed = newest_feed(&*context.tenant.data).await?;
    let start = start.unwrap_or_else(|| feed.end());
    if !feed.has_events_after(start) {
        return refuse(context, WebhookRefusal::CursorGone(feed)).await;
    }
    let (state, disabled_because) = if is_enabled {
        (WebhookState::Active, None)
    } else {
        (WebhookState::Disabled, Some(DisabledBecause::Request))
    };
    let webhook = Webhook {
        id,
        url,
        types,
        mode,
        lanes,
        secret,
        previous_secret: None,
        previous_secret_until: None,
        state,
        disabled_because,
        state_since: context.now,
        epoch: 1,
        start_generation: start.generation,
        start_position: start.position,
        created_at: context.now,
    };
    context.execute(AddWebhook(webhook)).await
}

async fn refuse(
    context: &Context<WebhookOutcome>,
    refusal: WebhookRefusal,
) -> StoreResult<Execution<WebhookOutcome>> {
    context.execute(RefuseWebhook(refusal)).await
}

/// Replaces what the back office says of a webhook.
///
/// # Errors
/// As [`change_webhook`].
pub async fn put_webhook(
    context: &Context<WebhookOutcome>,
    outbox: &Outbox,
    id: &str,
    fields: WebhookFields,
) -> StoreResult<Execution<WebhookOutcome>> {
    // Each attempt checks the URL too. A webhook whose host is gone can be disabled.
    let checked = if fields.is_enabled { outbox.check(&fields.url).await } else { Ok(()) };
    match checked {
        Ok(()) => change_webhook(context, id, WebhookChange::Put(fields)).await,
        Err(refusal) => refuse(context, WebhookRefusal::Url(refusal)).await,
    }
}

/// Sets the cursor of a webhook.
///
/// # Errors
/// As [`change_webhook`].
pub async fn rewind_webhook(
    context: &Context<WebhookOutcome>,
    id: &str,
    cursor: Cursor,
) -> StoreResult<Execution<WebhookOutcome>> {
    let feed = newest_feed(&*context.tenant.data).await?;
    if feed.has_events_after(cursor) {
        change_webhook(context, id, WebhookChange::Rewind(cursor)).await
    } else {
        refuse(context, WebhookRefusal::CursorGone(feed)).await
    }
}

/// Changes a webhook. A delivery in progress follows within a second, after the requests that run.
///
/// # Errors
/// When the store fails: nothing was changed, or the key of the request tells.
pub async fn change_webhook(
    context: &Context<WebhookOutcome>,
    id: &str,
    change: WebhookChange,
) -> StoreResult<Execution<WebhookOutcome>> {
    context.execute(ChangeWebhook { id: id.to_owned(), change, at: context.now }).await
}

/// Removes a webhook.
///
/// # Errors
/// When the store fails: nothing was removed.
pub async fn remove_webhook(context: &Context<WebhookOutcome>, id: &str) -> StoreResult<WebhookOutcome> {
    context.write(RemoveWebhook(id.to_owned())).await
}
