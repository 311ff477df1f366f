//! Doing work again when other transactions, or a lost connection, stood in its way.

use std::time::{Duration, Instant};

use crate::error::{ConnectError, Outcome, StoreFailure};
use crate::pool::PostgresOptions;

/// The longest wait before an attempt, in milliseconds; the first is a hundredth of it.
const MAX_WAIT_MS: u64 = 200;

/// How often work is done at most.
const MAX_ATTEMPTS: u32 = 40;

/// How often it is done at most when each time a unique key is taken: whoever was faster is found by the next
/// attempt, and what that does not find stays where it is.
const MAX_ATTEMPTS_AT_KEY: u32 = 4;

/// Does a command's work until nobody stands in its way, or for as long as these options let it; each attempt
/// takes a connection of its own. What the work refuses, it refuses for good.
pub(crate) async fn insist<T, F>(options: &PostgresOptions, work: impl Fn() -> F) -> Result<T, ConnectError>
where
    F: Future<Output = Outcome<Result<T, ConnectError>>>,
{
    let mut attempts = Attempts::within(Duration::from_millis(options.retry_for_ms));
    loop {
        match work().await {
            Err(failure) if attempts.go_on_after(&failure).await => {}
            outcome => return outcome?,
        }
    }
}

/// The attempts at one piece of work. The work must have no effect but in the database, and none there
/// when it fails.
pub(crate) struct Attempts {
    until: Instant,
    failed: u32,
}

impl Attempts {
    /// Begins with the first; none begins after this time.
    pub(crate) fn within(time: Duration) -> Self {
        Self { until: Instant::now() + time, failed: 0 }
    }

    /// Whether work that failed like this is to be done again. Waits before it says so.
    pub(crate) async fn go_on_after(&mut self, failure: &StoreFailure) -> bool {
        self.failed += 1;
        let most = if failure.is_of_taken_key() { MAX_ATTEMPTS_AT_KEY } else { MAX_ATTEMPTS };
        let again = failure.is_worth_a_replay() && self.failed < most && Instant::now() < self.until;
        if again {
            tokio::time::sleep(wait_after(self.failed)).await;
        }
        again
    }
}

/// Twice as long from attempt to attempt, up to a bound; by chance down to half of it, so that two that
/// stood in each other's way do not meet again and again.
fn wait_after(failed: u32) -> Duration {
    let longest_us = (1_000 << failed.min(10)).min(MAX_WAIT_MS * 1_000);
    let chance = getrandom::u32().unwrap_or(u32::MAX / 2);
    Duration::from_micros(longest_us / 2 + u64::from(chance) % (longest_us / 2))
}
