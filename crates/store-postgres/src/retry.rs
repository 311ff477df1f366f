//! Repeating work that other transactions or a lost connection stopped.

use std::time::{Duration, Instant};

use crate::error::Outcome;

/// The longest wait before an attempt, in milliseconds; the first is a hundredth of it.
const MAX_WAIT_MS: u64 = 200;

const MAX_ATTEMPTS: u32 = 40;

/// The most attempts when each time a unique key is taken: the next attempt finds the row of a faster writer, and a row
/// that it does not find stays where it is.
const MAX_ATTEMPTS_AT_KEY: u32 = 4;

/// Repeats work until nothing stands in its way, or this time is over. Each attempt takes a connection of its own. The
/// work must have no effect but in the database, and none there when it fails.
pub(crate) async fn insist<T, A: Future<Output = Outcome<T>>>(
    time: Duration,
    attempt: impl Fn() -> A,
) -> Outcome<T> {
    let until = Instant::now() + time;
    let mut failed = 0;
    loop {
        let failure = match attempt().await {
            Ok(done) => return Ok(done),
            Err(failure) => failure,
        };
        failed += 1;
        let most = if failure.is_of_taken_key() { MAX_ATTEMPTS_AT_KEY } else { MAX_ATTEMPTS };
        if !failure.is_worth_a_replay() || failed >= most || Instant::now() >= until {
            return Err(failure);
        }
        tokio::time::sleep(wait_after(failed)).await;
    }
}

/// Doubles from attempt to attempt, up to a bound; by chance down to half of it, so that two writers that met do not
/// meet again and again.
fn wait_after(failed: u32) -> Duration {
    let longest_us = (1_000 << failed.min(10)).min(MAX_WAIT_MS * 1_000);
    let chance = getrandom::u32().unwrap_or(u32::MAX / 2);
    Duration::from_micros(longest_us / 2 + u64::from(chance) % (longest_us / 2))
}
