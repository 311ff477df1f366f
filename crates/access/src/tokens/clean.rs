//! Removes tokens that expired or were revoked long ago.

use pointbook_store::{Context, StoreResult};

/// How long a token stays in the database after it expired or was revoked, in days.
pub(crate) const ENDED_TOKEN_DAYS: u32 = 30;

/// How many tokens one write removes, so that other writes wait only briefly.
const TOKENS_PER_WRITE: u32 = 500;

/// How many writes one call makes at most.
const WRITES_PER_CALL: u32 = 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CleanedTokens {
    pub removed: u64,
    /// Whether old tokens may be left.
    pub has_more: bool,
}

/// Removes tokens of the tenant that expired, or were revoked, more than [`ENDED_TOKEN_DAYS`] ago by the real clock, up to some
/// thousands of them. A client that sends one gets the same 401 as before.
///
/// # Errors
/// When the store fails; what was removed before stays removed.
pub(crate) async fn clean_tokens(context: &Context) -> StoreResult<CleanedTokens> {
    let ended_before = context.real_now().minus_days(ENDED_TOKEN_DAYS);
    let mut removed = 0;
    for _ in 0..WRITES_PER_CALL {
        let batch = context.tenant.data.remove_ended_tokens(ended_before, TOKENS_PER_WRITE).await?;
        removed += u64::from(batch);
        if batch < TOKENS_PER_WRITE {
            return Ok(CleanedTokens { removed, has_more: false });
        }
    }
    Ok(CleanedTokens { removed, has_more: true })
}
