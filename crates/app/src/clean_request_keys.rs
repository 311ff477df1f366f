//! Forgetting the keys of requests that nobody will send again.

use pointbook_domain::Timestamp;

use crate::ports::REQUEST_KEY_DAYS;
use crate::{ServedTenant, StoreResult};

/// How many keys are removed at a time, so that other writes wait only shortly.
const KEYS_PER_WRITE: u32 = 500;

/// Removes the keys of a tenant that were last used more than [`REQUEST_KEY_DAYS`] ago; gives how many
/// there were.
///
/// # Errors
/// When the store fails; what was removed before stays removed.
pub async fn clean_request_keys(tenant: &ServedTenant, now: Timestamp) -> StoreResult<u64> {
    let used_before = now.minus_days(REQUEST_KEY_DAYS);
    let mut removed = 0;
    loop {
        let batch = tenant.data.forget_request_keys(used_before, KEYS_PER_WRITE).await?;
        removed += u64::from(batch);
        if batch < KEYS_PER_WRITE {
            return Ok(removed);
        }
    }
}
