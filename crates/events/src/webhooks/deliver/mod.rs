//! One run of deliveries to one webhook, under a lease.

mod ahead;
mod batch;
mod health;
mod lanes;
mod lease;
mod message;
mod pauses;
mod progress;
mod run;
#[cfg(test)]
pub(crate) mod tests;

use pointbook_domain::{DisabledBecause, Webhook, WebhookProgress, WebhookState};
use pointbook_store::{Actor, Context, ServedTenant, StoreResult};

pub(crate) use self::ahead::Ahead;
pub(crate) use self::health::{next_change_in, state_of};
pub use self::lease::{LeaseState, SaveProgress, TakeLease};
use self::run::DeliveryRun;
use crate::webhooks::Deliveries;
use crate::webhooks::manage::{WebhookChange, change_webhook};

/// Who changes the state of a webhook, for the audit log.
const JOB: &str = "deliver-webhook";

/// Delivers events for some time. False when the process did not get the lease: something changed since it saw the webhook.
pub(crate) async fn deliver(
    deliveries: &Deliveries,
    served: &ServedTenant,
    id: &str,
    seen: LeaseState,
    ahead: &mut Ahead,
) -> StoreResult<bool> {
    let take = TakeLease { webhook_id: id.to_owned(), owner: deliveries.owner.clone(), seen };
    let Some((webhook, progress)) = served.data.write(take).await? else { return Ok(false) };
    DeliveryRun::new(deliveries, served, ahead).work(webhook, progress).await.map(|()| true)
}

/// Changes the state of the webhook to one that follows from this progress.
pub(crate) async fn set_state(
    deliveries: &Deliveries,
    served: &ServedTenant,
    webhook: &Webhook,
    progress: &WebhookProgress,
    (state, because): (WebhookState, Option<DisabledBecause>),
) -> StoreResult<()> {
    let served = std::sync::Arc::new(served.clone());
    let now = deliveries.service.now_of(&served);
    let context = Context::new(served, Actor::Job(JOB), now, deliveries.ids.clone());
    let failing_since = progress.failing_since;
    let change = WebhookChange::State { epoch: webhook.epoch, failing_since, state, because };
    change_webhook(&context, &webhook.id, change).await.map(drop)
}
