//! The parameters of the attempts of a webhook.

use pointbook_http::query::Fields;

/// `GET /v1/manage/webhooks/{webhookId}/attempts`: how many at most.
pub(crate) fn attempt_list(fields: &mut Fields<'_>) -> u32 {
    fields.limit(MAX_ATTEMPTS, USUAL_ATTEMPTS)
}

const MAX_ATTEMPTS: u32 = 1_000;
const USUAL_ATTEMPTS: u32 = 100;
