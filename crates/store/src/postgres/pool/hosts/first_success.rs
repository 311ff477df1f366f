//! Runs several attempts that may never finish, and returns the first success.

use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use futures_util::stream::{FuturesUnordered, StreamExt};
use tokio::time::sleep;

/// Starts the attempts in order. Each starts when the one before has failed, or after `head_start`. Returns the first success
/// and drops the other attempts. Returns all failures in the order of the attempts if none succeeds.
pub(super) async fn first_success<T, E>(
    attempts: Vec<BoxFuture<'_, Result<T, E>>>,
    head_start: Duration,
) -> Result<T, Vec<E>> {
    let mut later = attempts
        .into_iter()
        .enumerate()
        .map(|(number, attempt)| attempt.map(move |outcome| outcome.map_err(|failure| (number, failure))));
    let mut running = FuturesUnordered::new();
    let mut failures = Vec::new();
    loop {
        running.extend(later.next());
        let next_begins = sleep(if later.len() == 0 { Duration::MAX } else { head_start });
        tokio::select! {
            outcome = running.next() => match outcome {
                Some(Ok(success)) => return Ok(success),
                Some(Err(failure)) => failures.push(failure),
                None => break,
            },
            () = next_begins => {}
        }
    }
    failures.sort_by_key(|(number, _)| *number);
    Err(failures.into_iter().map(|(_, failure)| failure).collect())
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;

    type Attempt = BoxFuture<'static, Result<u32, u32>>;

    fn silent() -> Attempt {
        pending().boxed()
    }

    fn after(wait_ms: u64, outcome: Result<u32, u32>) -> Attempt {
        async move {
            sleep(Duration::from_millis(wait_ms)).await;
            outcome
        }
        .boxed()
    }

    #[tokio::test]
    async fn silent_attempt_does_not_delay_others() {
        let attempts = vec![silent(), silent(), after(0, Ok(3))];
        assert_eq!(first_success(attempts, Duration::from_millis(1)).await, Ok(3));
    }

    #[tokio::test]
    async fn failure_starts_next_attempt_at_once() {
        let attempts = vec![after(0, Err(1)), after(0, Ok(2))];
        assert_eq!(first_success(attempts, Duration::from_hours(1)).await, Ok(2));
    }

    #[tokio::test]
    async fn failures_keep_order_of_attempts() {
        let attempts = vec![after(20, Err(1)), after(0, Err(2)), after(0, Err(3))];
        assert_eq!(first_success(attempts, Duration::ZERO).await, Err(vec![1, 2, 3]));
        assert_eq!(first_success(Vec::<Attempt>::new(), Duration::ZERO).await, Err(vec![]));
    }
}
