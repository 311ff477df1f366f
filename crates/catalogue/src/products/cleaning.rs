//! Permits to clean the HTML of descriptions.

use std::sync::Arc;
use std::time::Duration;

use pointbook_domain::TenantSettings;
use pointbook_store::{ServedTenant, StoreError, StoreResult, TenantState};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// How long a request waits for a permit.
const CLEANING_WAIT: Duration = Duration::from_secs(1);

/// How many requests of one tenant clean HTML at a time. Others wait.
const MAX_TENANT_CLEANING: usize = 2;

/// Permits to clean HTML, so that one tenant does not take the background threads of all.
struct CleaningPermits(Arc<Semaphore>);

impl TenantState for CleaningPermits {
    fn new(_: &ServedTenant, _: &TenantSettings) -> Self {
        Self(Arc::new(Semaphore::new(MAX_TENANT_CLEANING)))
    }
}

/// The permit of a request to clean HTML with [`cleaned`](crate::products::draft::cleaned) or [`cleaned_description`](crate::products::draft::cleaned_description). Hold it
/// until the work ends.
///
/// # Errors
/// [`StoreError::Overloaded`] when too many requests of the tenant clean HTML.
pub(crate) async fn permit_to_clean(tenant: &ServedTenant) -> StoreResult<OwnedSemaphorePermit> {
    permit_of(&tenant.state::<CleaningPermits>().0).await
}

/// Only few requests of a tenant clean at a time. The wait is short, because a waiting request holds a working permit.
async fn permit_of(cleaning: &Arc<Semaphore>) -> StoreResult<OwnedSemaphorePermit> {
    let permit = timeout(CLEANING_WAIT, cleaning.clone().acquire_owned()).await;
    permit.map_err(|_| StoreError::Overloaded)?.map_err(|error| StoreError::Failed(Box::new(error)))
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[tokio::test]
    async fn a_request_waits_a_second_to_clean_and_is_told_to_come_again() {
        let (cleaning, begun) = (Arc::new(Semaphore::new(1)), Instant::now());
        let running = permit_of(&cleaning).await.unwrap();
        let waited = timeout(Duration::from_secs(5), permit_of(&cleaning)).await;
        assert!(matches!(waited, Ok(Err(StoreError::Overloaded))), "{waited:?}");
        assert!(begun.elapsed() >= CLEANING_WAIT);
        drop(running);
        assert!(permit_of(&cleaning).await.is_ok());
    }
}
