//! Removing tokens that nobody can use any more.

use pointbook_domain::Timestamp;

use crate::{ServedTenant, StoreResult};

/// How long a token stays in the database after it expired or was revoked, in days.
pub const ENDED_TOKEN_DAYS: u32 = 30;

/// How many tokens are removed at a time, so that other writes wait only shortly.
const TOKENS_PER_WRITE: u32 = 500;

/// Removes the tokens of a tenant that expired, or were revoked, more than [`ENDED_TOKEN_DAYS`] ago; gives how many
/// there were. A client that sends one gets the same 401 as before.
///
/// # Errors
/// When the store fails; what was removed before stays removed.
pub async fn clean_tokens(tenant: &ServedTenant, now: Timestamp) -> StoreResult<u64> {
    let ended_before = now.minus_days(ENDED_TOKEN_DAYS);
    let mut removed = 0;
    loop {
        let batch = tenant.data.remove_ended_tokens(ended_before, TOKENS_PER_WRITE).await?;
        removed += u64::from(batch);
        if batch < TOKENS_PER_WRITE {
            return Ok(removed);
        }
    }
}
