//! The rate limits per user and minute of the clock. The whole limit is available again when the next minute begins.

use pointbook_domain::{TenantSettings, Timestamp};

use crate::rate_limit::counts::RequestCounts;

const SECONDS_PER_MINUTE: i64 = 60;
const MICROS_PER_SECOND: i64 = 1_000_000;

/// How a customer's request to an operation or a page counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    Read,
    Write,
    /// A customer at the limit can still sign out.
    Never,
}

/// The state of a rate limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    /// Requests per minute.
    pub limit: u32,
    pub remaining: u32,
    /// Seconds until the next request is allowed. 0 while some are left.
    pub retry_after_seconds: u64,
    /// When all requests are available again, in seconds since the epoch.
    pub reset_at: i64,
}

/// Counts a request of a user at the real time.
///
/// # Errors
/// The state of the tenant's limit, when it is used up.
pub fn count_request(
    counted: Counted,
    requests: &RequestCounts,
    settings: &TenantSettings,
    now: Timestamp,
) -> Result<(), RateLimit> {
    let (requests, limit) = match counted {
        Counted::Read => (&requests.reads, settings.rate_limit_reads_per_minute),
        Counted::Write => (&requests.writes, settings.rate_limit_writes_per_minute),
        Counted::Never => return Ok(()),
    };
    if limit == 0 || requests.add(now) <= limit { Ok(()) } else { Err(used_up(limit, now)) }
}

fn used_up(limit: u32, now: Timestamp) -> RateLimit {
    let now_seconds = now.as_micros().div_euclid(MICROS_PER_SECOND);
    let reset_at = (now_seconds.div_euclid(SECONDS_PER_MINUTE) + 1) * SECONDS_PER_MINUTE;
    let retry_after_seconds = u64::try_from(reset_at - now_seconds).unwrap_or_default();
    RateLimit { limit, remaining: 0, retry_after_seconds, reset_at }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(reads: u32, writes: u32) -> TenantSettings {
        TenantSettings {
            rate_limit_reads_per_minute: reads,
            rate_limit_writes_per_minute: writes,
            ..TenantSettings::default()
        }
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros((600 + seconds) * MICROS_PER_SECOND).unwrap()
    }

    #[test]
    fn reads_and_writes_have_a_limit_each() {
        let (requests, settings) = (RequestCounts::default(), settings(2, 1));
        let count = |counted, seconds| count_request(counted, &requests, &settings, at(seconds)).is_ok();
        assert_eq!([0, 1, 2].map(|seconds| count(Counted::Read, seconds)), [true, true, false]);
        assert_eq!([3, 4].map(|seconds| count(Counted::Write, seconds)), [true, false]);
        assert_eq!([60, 60].map(|seconds| count(Counted::Write, seconds)), [true, false]);
    }

    #[test]
    fn a_limit_of_0_and_what_is_never_counted_let_everything_in() {
        let requests = RequestCounts::default();
        for (counted, settings) in [
            (Counted::Read, settings(0, 1)),
            (Counted::Write, settings(1, 0)),
            (Counted::Never, settings(1, 1)),
        ] {
            assert!((0..100).all(|_| count_request(counted, &requests, &settings, at(0)).is_ok()));
        }
    }

    #[test]
    fn a_refusal_tells_when_the_next_minute_begins() {
        let (requests, settings) = (RequestCounts::default(), settings(1, 1));
        let count = |seconds| count_request(Counted::Read, &requests, &settings, at(seconds));
        assert!(count(0).is_ok());
        let rate = count(43).unwrap_err();
        assert_eq!(rate, RateLimit { limit: 1, remaining: 0, retry_after_seconds: 17, reset_at: 660 });
    }
}
