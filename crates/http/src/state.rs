//! What the handlers of all operations get: sources of ids and secrets, texts, the authenticator, permits, parts of slices.

use std::sync::Arc;
use std::time::Duration;

use pointbook_domain::texts::Texts;
use pointbook_store::queue::Lane;
use pointbook_store::{IdSource, Parts, SecretSource};

use crate::api_request::ApiRequest;
use crate::authenticator::Authenticator;
use crate::body::NdjsonBody;
use crate::error::ApiError;
use crate::permits::{EventPermit, EventPermits, ImportPermit, ImportPermits, event_permits, import_permits};

/// What handlers share.
pub struct HttpState {
    /// The display texts.
    pub texts: Arc<Texts>,
    /// Finds the senders of requests.
    pub authenticator: Arc<dyn Authenticator>,
    /// Makes the ids of new objects.
    pub ids: Arc<dyn IdSource>,
    /// Makes new tokens.
    pub secrets: Arc<dyn SecretSource>,
    /// What slices share with their endpoints.
    pub parts: Parts,
    imports: ImportPermits,
    events: EventPermits,
    /// The longest wait for an event. It ends before the timeout of requests.
    longest_wait: Duration,
}

impl HttpState {
    /// The state of a new server.
    pub fn new(
        authenticator: Arc<dyn Authenticator>,
        ids: Arc<dyn IdSource>,
        secrets: Arc<dyn SecretSource>,
        parts: Parts,
    ) -> Self {
        let (imports, events) = (import_permits(), event_permits());
        let (texts, longest_wait) = (Arc::default(), Duration::MAX);
        Self { texts, authenticator, ids, secrets, parts, imports, events, longest_wait }
    }

    /// Ends each wait for an event a second before this timeout of requests.
    #[must_use]
    pub fn with_request_timeout(self, timeout: Duration) -> Self {
        Self { longest_wait: timeout.saturating_sub(Duration::from_secs(1)), ..self }
    }

    /// The permit to wait for an event, and for how long. `None` when too many readers wait, or the wait is over.
    pub fn event_permit(&self, request: &ApiRequest<'_>, seconds: u32) -> Option<(EventPermit, Duration)> {
        let wait = Duration::from_secs(seconds.into()).min(self.longest_wait);
        let lane = Lane::of(request.tenant.tenant.id.clone(), ());
        let permit = (!wait.is_zero()).then(|| self.events.try_acquire(lane, 1).ok())?;
        permit.map(|permit| (permit, wait))
    }

    /// The permit of an import. Hold it until the work ends, even if the request is cancelled. It is taken after the body has
    /// arrived, so a slow client holds none.
    ///
    /// # Errors
    /// Those of the body, and 503 without a free permit.
    pub async fn import_permit(&self, request: &ApiRequest<'_>) -> Result<ImportPermit, ApiError> {
        NdjsonBody::arrival(request).await?;
        let lane = Lane::of(request.tenant.tenant.id.clone(), ());
        self.imports.try_acquire(lane, 1).map_err(|_| ApiError::Unavailable)
    }
}
