//! The rows of webhooks.

use pointbook_domain::{
    DisabledBecause, EventTypes, Timestamp, Webhook, WebhookAttempt, WebhookMode, WebhookProgress,
    WebhookSecret, WebhookState,
};

columns! {
    Webhook of WEBHOOKS / 1, both {
        id: String, url: String, types as "event_types": EventTypes, mode: WebhookMode, lanes: u32,
        secret: WebhookSecret, previous_secret: Option<WebhookSecret>,
        previous_secret_until: Option<Timestamp>, state: WebhookState,
        disabled_because: Option<DisabledBecause>, state_since: Timestamp, epoch: u64,
        start_generation: u64, start_position: u64, created_at: Timestamp,
    }

    WebhookProgress of WEBHOOK_PROGRESS / 1, both {
        webhook_id: String, epoch: u64, generation: u64, position: u64, failures: u32,
        failing_since: Option<Timestamp>, retry_at: Option<Timestamp>, failed_position: Option<u64>,
        delivered_count: u64, failed_count: u64, lease_owner: Option<String>, lease_number: u64,
    }

    WebhookAttempt of WEBHOOK_ATTEMPTS / 2, both {
        webhook_id: String, slot: u32, at: Timestamp, duration_ms: u32, position: u64,
        status: Option<u32>, error: Option<String>,
    }
}
