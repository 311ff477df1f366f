//! Calling an operation so that neither a slow nor a panicking one gets away.

use std::future::poll_fn;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use futures_util::FutureExt;

use super::in_flight::InFlight;
use crate::ApiError;

/// Why an operation gave no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Failure {
    /// It took too long.
    Timeout,
    /// It panicked.
    Panic,
}

impl From<Failure> for ApiError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Timeout => Self::Unavailable,
            Failure::Panic => Self::Internal,
        }
    }
}

/// An operation's answer, within this time. One that has to wait takes a place among those that do.
pub(super) async fn call<T>(
    answer: impl Future<Output = T>,
    timeout: Duration,
    in_flight: &InFlight,
) -> Result<T, Failure> {
    // Unwind safe, because nothing that was touched is used again: operations share only what is
    // behind locks and atomics.
    let mut answer = pin!(AssertUnwindSafe(answer).catch_unwind());
    // Most answers are there without waiting, and need neither clock nor place.
    let at_once = poll_fn(|cx| Poll::Ready(answer.as_mut().poll(cx))).await;
    let answered = match at_once {
        Poll::Ready(answered) => answered,
        Poll::Pending => {
            let _place = in_flight.enter();
            tokio::time::timeout(timeout, answer).await.map_err(|_elapsed| Failure::Timeout)?
        }
    };
    answered.map_err(|_panic| Failure::Panic)
}
