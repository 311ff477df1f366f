//! The metrics of how far the webhooks of a tenant are behind its feed.

use pointbook_domain::{FeedBlock, Timestamp, WebhookState};
use pointbook_store::ports::{Query, read_all};
use pointbook_store::{ServedTenant, StoreResult};

use crate::webhooks::manage::WebhookStatus;

/// Of one tenant, not of each webhook: webhooks come and go, and a metric would stay for each of them.
#[derive(Debug, Default)]
pub(super) struct LagMetrics {
    /// Whether the metrics have a value. A tenant without webhooks has none.
    is_shown: bool,
}

impl LagMetrics {
    /// Shows the largest lag of the enabled webhooks.
    pub(super) async fn show(
        &mut self,
        served: &ServedTenant,
        webhooks: &[WebhookStatus],
        now: Timestamp,
    ) -> StoreResult<()> {
        self.is_shown = true;
        let enabled = webhooks.iter().filter(|status| status.webhook.state != WebhookState::Disabled);
        let most = enabled.max_by_key(|status| status.lag()).filter(|status| status.lag() > 0);
        let Some(last) = most else {
            set(served, 0, 0);
            return Ok(());
        };
        set(served, last.lag(), age_seconds(served, last.cursor().position, now).await?);
        Ok(())
    }

    /// The tenant has no webhooks any more.
    pub(super) fn clear(&mut self, served: &ServedTenant) {
        if std::mem::take(&mut self.is_shown) {
            set(served, 0, 0);
        }
    }
}

/// The age of the oldest block after a position.
async fn age_seconds(served: &ServedTenant, position: u64, now: Timestamp) -> StoreResult<u64> {
    let query = Query::of::<FeedBlock>("oldest_block", &["last_position"]).after(Some(&position)).limit(1);
    let blocks: Vec<FeedBlock> = read_all(&*served.data, query).await?;
    let Some(block) = blocks.first() else { return Ok(0) };
    let micros = served.tenant.now(now).as_micros().saturating_sub(block.at.as_micros());
    Ok(u64::try_from(micros / 1_000_000).unwrap_or(0))
}

#[expect(clippy::cast_precision_loss, reason = "a metric may be rounded")]
fn set(served: &ServedTenant, events: u64, seconds: u64) {
    let tenant = served.name().to_string();
    metrics::gauge!("pointbook_webhook_lag_events", "tenant" => tenant.clone()).set(events as f64);
    metrics::gauge!("pointbook_webhook_lag_seconds", "tenant" => tenant).set(seconds as f64);
}
