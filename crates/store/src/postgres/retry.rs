//! Retries work after a conflict with another transaction or a lost connection.

use std::time::{Duration, Instant};

use crate::postgres::error::Outcome;

/// The longest wait before a retry, in milliseconds. The first wait is about a hundredth of it.
const MAX_WAIT_MS: u64 = 200;

const MAX_ATTEMPTS: u32 = 40;

/// The most attempts with unique violations. A retry finds the row of a faster writer. If it does not, more retries do not
/// help.
const MAX_ATTEMPTS_AT_KEY: u32 = 4;

/// Runs work and retries it after conflicts, until `time` is over. Each attempt takes a new connection. The work must only
/// change the database, and must leave it unchanged when it fails.
pub(crate) async fn with_retries<T, A: Future<Output = Outcome<T>>>(
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

/// The wait before the next retry. It doubles with each attempt, up to [`MAX_WAIT_MS`]. A random part of up to half of it
/// keeps two writers from colliding again and again.
fn wait_after(failed: u32) -> Duration {
    let longest_us = (1_000 << failed.min(10)).min(MAX_WAIT_MS * 1_000);
    let chance = getrandom::u32().unwrap_or(u32::MAX / 2);
    Duration::from_micros(longest_us / 2 + u64::from(chance) % (longest_us / 2))
}
