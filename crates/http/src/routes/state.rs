//! What handlers share.

use std::sync::Arc;

use pointbook_app::{IdSource, SecretSource};
use pointbook_queue::Lane;

use super::import_permits::{ImportPermit, ImportPermits, import_permits};
use crate::body::NdjsonBody;
use crate::{ApiError, ApiRequest};
use pointbook_texts::Texts;

/// What handlers share.
pub struct HttpState {
    /// The display texts.
    pub texts: Arc<Texts>,
    /// Makes the ids of new objects.
    pub ids: Arc<dyn IdSource>,
    /// Makes new tokens.
    pub secrets: Arc<dyn SecretSource>,
    imports: ImportPermits,
}

impl HttpState {
    /// The state of a new server.
    pub fn new(ids: Arc<dyn IdSource>, secrets: Arc<dyn SecretSource>) -> Self {
        Self { texts: Arc::default(), ids, secrets, imports: import_permits() }
    }

    /// The permit of an import. Hold it until the work ends, even if the request is cancelled. It is taken after the body has
    /// arrived, so a slow client holds none.
    ///
    /// # Errors
    /// Those of the body, and 503 without a free permit.
    pub(super) async fn import_permit(&self, request: &ApiRequest<'_>) -> Result<ImportPermit, ApiError> {
        NdjsonBody::arrival(request).await?;
        let lane = Lane::of(request.tenant.tenant.id.clone(), ());
        self.imports.try_acquire(lane, 1).map_err(|_| ApiError::Unavailable)
    }
}
