//! Reads webhooks, their progress, and their last attempts.

use std::collections::HashMap;

use pointbook_domain::{
    Cursor, DisabledBecause, Feed, Timestamp, Webhook, WebhookAttempt, WebhookProgress, WebhookState,
};
use pointbook_store::StoreResult;
use pointbook_store::ports::{TenantData, read_all, read_one};
use pointbook_store::schema::Query;

use crate::feed::{find_feed, newest_feed};

/// Lists leave out older attempts.
pub const MAX_ATTEMPT_AGE_DAYS: u32 = 3;

/// A webhook with its progress, as far as it belongs to the present epoch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookStatus {
    pub webhook: Webhook,
    /// `None` until the first delivery.
    pub progress: Option<WebhookProgress>,
    pub feed: Feed,
}

impl WebhookStatus {
    fn new(webhook: Webhook, progress: Option<&WebhookProgress>, feed: Feed) -> Self {
        let progress = progress.cloned().map(|stored| WebhookProgress::current(&webhook, Some(stored)));
        Self { webhook, progress, feed }
    }

    pub fn cursor(&self) -> Cursor {
        self.webhook.cursor(self.progress.as_ref())
    }

    /// How many events of the feed come after the cursor, of all types.
    pub fn lag(&self) -> u64 {
        self.feed.count_after(self.cursor())
    }
}

/// All webhooks, by id: the oldest first.
pub async fn list_webhooks(data: &dyn TenantData) -> StoreResult<Vec<WebhookStatus>> {
    let webhooks = read_webhooks(data).await?;
    if webhooks.is_empty() {
        return Ok(Vec::new());
    }
    let feed = newest_feed(data).await?;
    with_progress(data, webhooks, feed).await
}

/// The webhooks whose deliveries fail, and those that the service disabled, by id. It does not read the feed.
pub async fn list_failing_webhooks(data: &dyn TenantData) -> StoreResult<Vec<Webhook>> {
    let all = read_webhooks(data).await?;
    let fails = |webhook: &Webhook| match webhook.state {
        WebhookState::Active => false,
        WebhookState::Failing => true,
        WebhookState::Disabled => webhook.disabled_because != Some(DisabledBecause::Request),
    };
    Ok(all.into_iter().filter(fails).collect())
}

/// All webhooks for deliveries. `None` without webhooks, and while the feed has no row: a copy to this database goes on, and an event
/// that got its position here would have another one than on the source. For the same reason, events get no positions while
/// no webhook is enabled.
pub(crate) async fn webhooks_to_deliver(data: &dyn TenantData) -> StoreResult<Option<Vec<WebhookStatus>>> {
    let webhooks = read_webhooks(data).await?;
    if webhooks.is_empty() {
        return Ok(None);
    }
    let Some(stored) = find_feed(data).await? else { return Ok(None) };
    let is_disabled = |webhook: &Webhook| webhook.state == WebhookState::Disabled;
    let feed = if webhooks.iter().all(is_disabled) { stored } else { newest_feed(data).await? };
    with_progress(data, webhooks, feed).await.map(Some)
}

async fn read_webhooks(data: &dyn TenantData) -> StoreResult<Vec<Webhook>> {
    read_all(data, Query::of::<Webhook>("webhooks", &["id"])).await
}

async fn with_progress(
    data: &dyn TenantData,
    webhooks: Vec<Webhook>,
    feed: Feed,
) -> StoreResult<Vec<WebhookStatus>> {
    let query = Query::of::<WebhookProgress>("webhook_progress", &["webhook_id"]);
    let progress: Vec<WebhookProgress> = read_all(data, query).await?;
    let progress: HashMap<_, _> = progress.iter().map(|row| (row.webhook_id.as_str(), row)).collect();
    let status = |webhook: Webhook| {
        let progress = progress.get(webhook.id.as_str()).copied();
        WebhookStatus::new(webhook, progress, feed)
    };
    Ok(webhooks.into_iter().map(status).collect())
}

/// `None` for an unknown id.
pub async fn show_webhook(data: &dyn TenantData, id: &str) -> StoreResult<Option<WebhookStatus>> {
    let Some(webhook) = find_webhook(data, id).await? else { return Ok(None) };
    let progress = find_progress(data, id).await?;
    Ok(Some(WebhookStatus::new(webhook, progress.as_ref(), newest_feed(data).await?)))
}

pub(crate) async fn find_webhook(data: &dyn TenantData, id: &str) -> StoreResult<Option<Webhook>> {
    read_one(data, Query::of::<Webhook>("webhook", &[]).equal("id", Some(id))).await
}

pub(crate) async fn find_progress(data: &dyn TenantData, id: &str) -> StoreResult<Option<WebhookProgress>> {
    let query = Query::of::<WebhookProgress>("webhook_progress_of", &[]);
    read_one(data, query.equal("webhook_id", Some(id))).await
}

/// The attempts of the last three days, the newest first. `now` is the real time. `None` for an unknown webhook.
pub async fn list_attempts(
    data: &dyn TenantData,
    id: &str,
    limit: u32,
    now: Timestamp,
) -> StoreResult<Option<Vec<WebhookAttempt>>> {
    if find_webhook(data, id).await?.is_none() {
        return Ok(None);
    }
    let since = now.minus_days(MAX_ATTEMPT_AGE_DAYS);
    let query = Query::of::<WebhookAttempt>("webhook_attempts", &["at", "slot"]).descending();
    let query = query.equal("webhook_id", Some(id)).between("at", [&since, &Timestamp::MAX]);
    read_all(data, query.limit(limit)).await.map(Some)
}
