//! The webhook that the path of a page names, and the permit to wait for a receiver.

use pointbook_access::console_kit::Visit;
use pointbook_http::pages::PageError;
use pointbook_store::StoreError;

use crate::webhooks::{Outbox, ReceiverPermit, WebhookOutcome, WebhookStatus, show_webhook};

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
