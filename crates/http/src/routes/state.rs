//! What handlers share.

use std::sync::Arc;

use pointbook_app::{IdSource, SecretSource};
use pointbook_queue::Lane;

use super::import_permits::{ImportPermit, ImportPermits, import_permits};
use crate::body::NdjsonBody;
use crate::{ApiError, Asked};
use pointbook_texts::Texts;

/// What handlers share.
pub struct HttpState {
    /// The display texts.
    pub texts: Arc<Texts>,
    /// Makes the ids of what is written.
    pub ids: Arc<dyn IdSource>,
    /// Makes the tokens that are issued.
    pub secrets: Arc<dyn SecretSource>,
    imports: ImportPermits,
}

impl HttpState {
    /// The state of a server that begins, before the first request.
    pub fn new(ids: Arc<dyn IdSource>, secrets: Arc<dyn SecretSource>) -> Self {
        Self { texts: Arc::default(), ids, secrets, imports: import_permits() }
    }

    /// The permit of an import, to be held until its work ended, also when its request is given up. It is taken when the
    /// body is there, so that no client holds one by sending slowly.
    ///
    /// # Errors
    /// Those of the body; 503 while there is no permit.
    pub(super) async fn import_permit(&self, asked: &Asked<'_>) -> Result<ImportPermit, ApiError> {
        NdjsonBody::arrival(asked).await?;
        let lane = Lane::of(asked.tenant.tenant.id.clone(), ());
        self.imports.try_acquire(lane, 1).map_err(|_| ApiError::Unavailable)
    }
}
