//! The id and the secret of a new webhook, which follow from one random text.

use pointbook_domain::WebhookSecret;
use pointbook_store::ports::tokens::token_hash;

/// Separates the bytes of the secret from those of the id. Both follow from the same text, so that a repeated request shows the
/// same secret.
const PURPOSE: &str = "pointbook-webhook-1\n";

/// The id of the webhook of this text.
pub fn webhook_id_of(text: &str) -> String {
    format!("wh_{}", token_hash(text.as_bytes()).id())
}

/// The secret of the webhook of this text.
pub fn webhook_secret_of(text: &str) -> WebhookSecret {
    WebhookSecret::from_bytes(token_hash([PURPOSE, text].concat().as_bytes()).0)
}
