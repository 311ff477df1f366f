//! Removing the keys of requests that are too old to be sent again.

use pointbook_domain::Timestamp;

use crate::context::Context;
use crate::ports::{REFUSED_KEY_DAYS, REQUEST_KEY_DAYS, StoreResult};

/// How many keys one write removes, so that other writes wait only briefly.
const KEYS_PER_WRITE: u32 = 500;

/// How many writes one call makes at most.
const WRITES_PER_CALL: u32 = 20;

const SECONDS_PER_DAY: u32 = 86_400;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CleanedRequestKeys {
    pub removed: u64,
    /// When the next key is old: `None` when there are old ones left.
    pub next_old_at: Option<Timestamp>,
}

/// Removes keys of the tenant that were last used more than [`REQUEST_KEY_DAYS`] ago, up to some thousands of them.
///
/// # Errors
/// When the store fails; what was removed before stays removed.
pub async fn clean_request_keys(context: &Context) -> StoreResult<CleanedRequestKeys> {
    let (data, now) = (&context.tenant.data, context.real_now());
    let used_before = now.minus_days(REQUEST_KEY_DAYS);
    let mut removed = 0;
    for _ in 0..WRITES_PER_CALL {
        let batch = data.forget_request_keys(used_before, KEYS_PER_WRITE).await?;
        removed += u64::from(batch);
        if batch < KEYS_PER_WRITE {
            let oldest = data.oldest_request_key().await?;
            return Ok(CleanedRequestKeys { removed, next_old_at: Some(next_old_at(oldest, now)) });
        }
    }
    Ok(CleanedRequestKeys { removed, next_old_at: None })
}

/// When the oldest key is old, or one that is made from now on could be: that of a refusal is kept for the shortest time.
fn next_old_at(oldest: Option<Timestamp>, now: Timestamp) -> Timestamp {
    let of_new_ones = now.plus_seconds(REFUSED_KEY_DAYS * SECONDS_PER_DAY);
    oldest.map_or(of_new_ones, |used_at| {
        of_new_ones.min(used_at.plus_seconds(REQUEST_KEY_DAYS * SECONDS_PER_DAY))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_key_is_old_a_week_after_its_use_or_a_day_from_now() {
        let now = Timestamp::from_micros(0).unwrap().plus_seconds(100 * SECONDS_PER_DAY);
        let in_a_day = now.plus_seconds(SECONDS_PER_DAY);
        assert_eq!(next_old_at(None, now), in_a_day);
        assert_eq!(next_old_at(Some(now.minus_days(1)), now), in_a_day);
        let almost_old = now.minus_days(7).plus_seconds(60);
        assert_eq!(next_old_at(Some(almost_old), now), now.plus_seconds(60));
    }
}
