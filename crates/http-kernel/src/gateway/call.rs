//! Calls an operation with a time limit, and catches panics.

use std::future::poll_fn;
use std::panic::AssertUnwindSafe;
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use pointbook_queue as queue;
use tokio::time::{Sleep, sleep};

use super::permits::{WorkLane, Worker};
use super::request_body::RequestBody;
use crate::interface::Refusal;

/// Why an operation gave no response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    Panicked,
    TimedOut,
    /// It had to wait, and its tenant or principal has its share of the working permits.
    Refused,
}

impl From<Ended> for Refusal {
    fn from(ended: Ended) -> Self {
        match ended {
            Ended::Panicked => Self::Internal,
            Ended::TimedOut | Ended::Refused => Self::Unavailable,
        }
    }
}

/// A read that takes less time costs little, and no lock counts it.
const SHORT_READ: Duration = Duration::from_micros(200);

/// A request that has taken so much time is charged before it is ready.
const LONG: Duration = Duration::from_millis(1);

/// The threads that poll all requests. Tenants share them by the time that their polls take.
pub(super) type Threads = queue::Gate<Worker, String>;

/// The response of an operation. One that waits takes a working permit, unless it waits for the body of its request. The time begins
/// again when the body has arrived, because the body has another limit.
///
/// `is_read` says that the response usually takes some microseconds.
pub(super) async fn call<T>(
    answer: impl Future<Output = T>,
    timeout: Duration,
    (threads, is_read): (&Threads, bool),
    body: &RequestBody<'_>,
    worker: impl Fn() -> Worker,
    lane: impl Fn() -> WorkLane,
) -> Result<T, Ended> {
    // Unwind safe: nothing that the operation changed is used again, and operations share only locks and atomics.
    let mut answer = pin!(AssertUnwindSafe(answer).catch_unwind());
    // Most responses are ready without waiting, and need neither clock nor permit.
    let mut deadline: Option<Pin<Box<Sleep>>> = None;
    let (mut gated, mut taken) = (threads.request(), Duration::ZERO);
    poll_fn(|cx| {
        if gated.enter(cx, || lane().lane) {
            let begun = Instant::now();
            let polled = answer.as_mut().poll(cx);
            let now = Instant::now();
            taken += now - begun;
            let is_due = polled.is_ready() && (!is_read || taken > SHORT_READ);
            if is_due || taken > LONG {
                threads.charge(&worker(), std::mem::take(&mut taken), now);
            }
            gated.leave();
            if let Poll::Ready(answered) = polled {
                return Poll::Ready(answered.map_err(|_panic| Ended::Panicked));
            }
        }
        match body.work(&lane) {
            Ok(true) => {}
            Ok(false) => {
                deadline = None;
                return Poll::Pending;
            }
            Err(ended) => return Poll::Ready(Err(ended)),
        }
        let deadline = deadline.get_or_insert_with(|| Box::pin(sleep(timeout)));
        deadline.as_mut().poll(cx).map(|()| Err(Ended::TimedOut))
    })
    .await
}

/// Logs the panics of all threads instead of printing them. The program calls it once.
pub fn log_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        // A formatted message may contain client data, so only literals are logged.
        let message = panic.payload().downcast_ref::<&'static str>().copied().unwrap_or("(formatted)");
        tracing::error!(target: "pointbook_http::gateway::panics", { panic.location = place, panic.message = message }, "panicked");
    }));
}
