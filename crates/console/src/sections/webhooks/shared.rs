//! What the pages of webhooks share.

use maud::{Markup, html};
use pointbook_console_kit::path_part::segment;
use pointbook_console_kit::visit::Visit;
use pointbook_deliveries::Outbox;
use pointbook_deliveries::{ReceiverPermit, WebhookOutcome, WebhookStatus, show_webhook};
use pointbook_domain::Webhook;
use pointbook_http::pages::{PageError, moment};
use pointbook_store::ports::StoreError;

pub(super) const SECTION: &str = "/webhooks";

/// The state, why it is so, and since when.
pub(in crate::sections) fn state(visit: &Visit<'_>, webhook: &Webhook) -> Markup {
    let words = visit.words;
    html! {
        strong .state data-state=(webhook.state.as_str()) { (words.say(&format!("webhook-state-{}", webhook.state.as_str()))) }
        @if let Some(because) = webhook.disabled_because { br; (words.say(&format!("webhook-because-{}", because.as_str().replace('_', "-")))) }
        br; span .quiet { (words.say("webhook-since")) " " (moment(webhook.state_since, &visit.served, words)) }
    }
}

/// The address of the page of a webhook.
pub(in crate::sections) fn address(visit: &Visit<'_>, id: &str) -> String {
    visit.path(&format!("{SECTION}/{}", segment(id)))
}

/// The webhook of the path.
pub(super) async fn of_path(visit: &Visit<'_>) -> Result<WebhookStatus, PageError> {
    let id = visit.param("id")?;
    show_webhook(&*visit.served.data, &id).await?.ok_or(PageError::NotFound)
}

/// The permit to wait for a receiver or a resolver.
pub(super) fn permit(visit: &Visit<'_>) -> Result<ReceiverPermit, PageError> {
    visit
        .shared
        .parts
        .get::<Outbox>()?
        .permit(&visit.served.tenant.id)
        .map_err(|_| StoreError::Overloaded.into())
}

pub(super) fn is_refusal(outcome: &WebhookOutcome) -> bool {
    !matches!(outcome, WebhookOutcome::Stored(_))
}
