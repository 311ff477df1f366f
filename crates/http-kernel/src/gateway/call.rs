//! Calling an operation so that neither a slow nor a panicking one gets away.

use std::future::poll_fn;
use std::panic::AssertUnwindSafe;
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::time::{Instant, sleep};

use super::request_body::RequestBody;
use crate::refusal::Refusal;

/// Why an operation gave no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Failure {
    /// It took too long.
    Timeout,
    Panic,
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Timeout => Self::Unavailable,
            Failure::Panic => Self::Internal,
        }
    }
}

/// An operation's answer, within this time. An operation that has to wait takes a working permit, unless it
/// waits for the body of its request.
pub(super) async fn call<T>(
    answer: impl Future<Output = T>,
    timeout: Duration,
    body: &RequestBody<'_>,
) -> Result<T, Failure> {
    // Unwind safe, because nothing that was touched is used again: operations share only what is
    // behind locks and atomics.
    let mut answer = pin!(AssertUnwindSafe(answer).catch_unwind());
    // Most answers are there without waiting, and need neither clock nor permit.
    let at_once = poll_fn(|cx| Poll::Ready(answer.as_mut().poll(cx))).await;
    let answered = match at_once {
        Poll::Ready(answered) => answered,
        Poll::Pending => within(answer, timeout, body).await?,
    };
    answered.map_err(|_panic| Failure::Panic)
}

/// What comes out within this time. The time begins anew when the body is there, whose time limit is another.
async fn within<T>(
    mut answer: Pin<&mut impl Future<Output = T>>,
    timeout: Duration,
    body: &RequestBody<'_>,
) -> Result<T, Failure> {
    let (mut deadline, mut was_working) = (pin!(sleep(timeout)), body.is_working());
    poll_fn(|cx| {
        if let Poll::Ready(answered) = answer.as_mut().poll(cx) {
            return Poll::Ready(Ok(answered));
        }
        let is_working = body.is_working();
        if !is_working {
            was_working = false;
            return Poll::Pending;
        }
        if !std::mem::replace(&mut was_working, true) {
            deadline.as_mut().reset(Instant::now() + timeout);
        }
        deadline.as_mut().poll(cx).map(|()| Err(Failure::Timeout))
    })
    .await
}
