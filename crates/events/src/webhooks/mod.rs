//! Webhooks: their management by the back office, and the delivery of the feed's events to them.
//!
//! A webhook is a reader of the feed with a cursor. There is no queue: what was not delivered stays in the feed. `sender` sends
//! one request. `engine` and `deliver` decide which one, when, and what follows.

pub(crate) mod api;
pub(crate) mod console;
mod deliver;
mod deliveries;
mod engine;
mod manage;
mod outbox;
pub(crate) mod query;
pub mod sender;
pub mod shown;
mod stop;
pub mod view;

pub use deliver::{LeaseState, SaveProgress, TakeLease};
pub use deliveries::Deliveries;
pub use engine::serve;
pub use manage::{
    AddWebhook, ChangeWebhook, MAX_ATTEMPT_AGE_DAYS, NewWebhook, RemoveWebhook, WebhookChange, WebhookFields,
    WebhookOutcome, WebhookRefusal, WebhookStatus, add_webhook, change_webhook, list_attempts,
    list_failing_webhooks, list_webhooks, put_webhook, remove_webhook, rewind_webhook, show_webhook,
    webhook_id_of, webhook_secret_of,
};
pub use outbox::{Outbox, ReceiverPermit, TestResult};

pub use crate::webhooks::sender::{AddressPolicy, Refusal as UrlRefusal, UrlError};
