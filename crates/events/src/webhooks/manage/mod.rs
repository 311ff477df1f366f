//! The use cases by which the back office and operators add, change, rewind, remove and read webhooks.

mod change;
mod commands;
mod read;
mod seed;

pub use change::{add_webhook, change_webhook, put_webhook, remove_webhook, rewind_webhook};
pub use commands::{
    AddWebhook, ChangeWebhook, NewWebhook, RemoveWebhook, WebhookChange, WebhookFields, WebhookOutcome,
    WebhookRefusal,
};
#[cfg(test)]
pub(crate) use read::find_progress;
pub use read::{
    MAX_ATTEMPT_AGE_DAYS, WebhookStatus, list_attempts, list_failing_webhooks, list_webhooks, show_webhook,
};
pub(crate) use read::{find_webhook, webhooks_to_deliver};
pub use seed::{webhook_id_of, webhook_secret_of};
