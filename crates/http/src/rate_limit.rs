//! Requests per minute and principal, for tenants that limit them.
//!
//! Minutes are those of the clock, as the request's own time tells them: a principal has the whole
//! limit again when the next one begins.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use pointbook_domain::{TenantId, Timestamp, UserId};

use crate::ApiError;
use crate::error::RateLimit;

/// How many principals are counted at a time, so that memory stays bounded. Beyond it the one that
/// was quiet the longest counts from 0 again.
const MAX_PRINCIPALS: u64 = 200_000;

const SECONDS_PER_MINUTE: i64 = 60;
const MICROS_PER_SECOND: i64 = 1_000_000;

/// Counts the requests of every limited tenant's principals.
#[derive(Debug)]
pub struct RateLimiter {
    windows: Cache<(TenantId, UserId), Arc<Window>>,
}

/// The minute since the epoch in the upper half, the requests in it in the lower.
#[derive(Debug, Default)]
struct Window(AtomicU64);

impl Default for RateLimiter {
    fn default() -> Self {
        let windows = Cache::builder()
            .max_capacity(MAX_PRINCIPALS)
            .eviction_policy(EvictionPolicy::lru())
            // A window is of no use after its minute; twice that leaves room for its end.
            .time_to_idle(Duration::from_mins(2))
            .build();
        Self { windows }
    }
}

impl RateLimiter {
    /// Counts a request and says where its principal stands.
    ///
    /// # Errors
    /// [`ApiError::TooManyRequests`] when the limit, in requests per minute, is used up.
    pub fn take(
        &self,
        tenant: &TenantId,
        user: &UserId,
        limit: u32,
        now: Timestamp,
    ) -> Result<RateLimit, ApiError> {
        let now_seconds = now.as_micros().div_euclid(MICROS_PER_SECOND);
        let minute = now_seconds.div_euclid(SECONDS_PER_MINUTE);
        let window = self.windows.get_with((tenant.clone(), user.clone()), Arc::default);
        let count = window.count(minute);
        let reset_at = (minute + 1) * SECONDS_PER_MINUTE;
        let wait_seconds = u64::try_from(reset_at - now_seconds).unwrap_or_default();
        let remaining = limit.saturating_sub(count);
        let retry_after_seconds = if remaining > 0 { 0 } else { wait_seconds };
        let rate = RateLimit { limit, remaining, retry_after_seconds, reset_at };
        if count > limit { Err(ApiError::TooManyRequests(rate)) } else { Ok(rate) }
    }
}

impl Window {
    /// The number of requests in this minute, with this one.
    fn count(&self, minute: i64) -> u32 {
        // Only whether it is the same minute counts, and no two close ones share their lower half.
        let minute = minute.cast_unsigned() << u32::BITS;
        let with_this_one = |before: u64| {
            let count = lower_half(before);
            minute | u64::from(if before == minute | u64::from(count) { count.saturating_add(1) } else { 1 })
        };
        let before =
            self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |before| Some(with_this_one(before)));
        lower_half(with_this_one(before.unwrap_or_else(|unchanged| unchanged)))
    }
}

fn lower_half(packed: u64) -> u32 {
    u32::try_from(packed & u64::from(u32::MAX)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Trial {
        limiter: RateLimiter,
        limit: u32,
    }

    impl Trial {
        fn new(limit: u32) -> Self {
            Self { limiter: RateLimiter::default(), limit }
        }

        /// Where the user stands after a request this many seconds after a minute began.
        fn take(&self, tenant: &str, user: &str, seconds: i64) -> Result<RateLimit, RateLimit> {
            let now = Timestamp::from_micros((600 + seconds) * MICROS_PER_SECOND).unwrap();
            let (tenant, user) = (TenantId::new(tenant).unwrap(), UserId::new(user).unwrap());
            match self.limiter.take(&tenant, &user, self.limit, now) {
                Ok(rate) => Ok(rate),
                Err(ApiError::TooManyRequests(rate)) => Err(rate),
                Err(other) => panic!("{other}"),
            }
        }
    }

    #[test]
    fn the_limit_holds_for_a_minute() {
        let trial = Trial::new(2);
        let at = |remaining, retry_after_seconds| RateLimit {
            limit: 2,
            remaining,
            retry_after_seconds,
            reset_at: 660,
        };
        assert_eq!(trial.take("t", "u", 0), Ok(at(1, 0)));
        assert_eq!(trial.take("t", "u", 10), Ok(at(0, 50)));
        assert_eq!(trial.take("t", "u", 59), Err(at(0, 1)));
        assert_eq!(trial.take("t", "u", 60).unwrap().remaining, 1);
    }

    #[test]
    fn each_principal_of_each_tenant_is_counted_alone() {
        let trial = Trial::new(1);
        for (tenant, user) in [("t", "u"), ("t", "v"), ("s", "u")] {
            assert!(trial.take(tenant, user, 0).is_ok());
            assert!(trial.take(tenant, user, 0).is_err());
        }
    }

    #[test]
    fn a_new_limit_holds_at_once() {
        let mut trial = Trial::new(5);
        assert_eq!(trial.take("t", "u", 0).unwrap().remaining, 4);
        trial.limit = 2;
        assert_eq!(trial.take("t", "u", 0).unwrap().remaining, 0);
        assert!(trial.take("t", "u", 0).is_err());
    }
}
