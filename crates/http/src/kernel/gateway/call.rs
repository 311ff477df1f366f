//! Calls an operation with a time limit, and catches panics.

use std::future::poll_fn;
use std::panic::AssertUnwindSafe;
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use pointbook_store::queue;
use tokio::time::{Sleep, sleep};

use super::permits::{WorkLane, Worker};
use super::request_body::RequestBody;
use crate::kernel::interface::Refusal;

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
    let mut gated = threads.request();
    let mut taken = Taken { threads, worker: &worker, is_read, time: Duration::ZERO };
    poll_fn(|cx| {
        let is_polled = gated.enter(cx, Instant::now, &worker, || lane().turn());
        if is_polled {
            let begun = Instant::now();
            let polled = answer.as_mut().poll(cx);
            let now = Instant::now();
            taken.add(now - begun, now);
            gated.leave(now);
            if let Poll::Ready(answered) = polled {
                return Poll::Ready(answered.map_err(|_panic| Ended::Panicked));
            }
        }
        match body.work(&lane) {
            // A request that waits for its turn, and not for its body, has the time limit.
            Ok(has_permit) if has_permit || !is_polled => {}
            Ok(_) => {
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

/// The time that the polls of a request took and that its tenant has not been charged for.
struct Taken<'t, W: Fn() -> Worker> {
    threads: &'t Threads,
    worker: &'t W,
    is_read: bool,
    time: Duration,
}

impl<W: Fn() -> Worker> Taken<'_, W> {
    fn add(&mut self, time: Duration, now: Instant) {
        self.time += time;
        if self.time > LONG {
            self.charge(now);
        }
    }

    fn charge(&mut self, now: Instant) {
        self.threads.charge(&(self.worker)(), std::mem::take(&mut self.time), now);
    }
}

/// The request is ready, or was given up. While a tenant is heavy, short reads count too.
impl<W: Fn() -> Worker> Drop for Taken<'_, W> {
    fn drop(&mut self) {
        if !self.is_read || self.time > SHORT_READ || self.threads.is_closed() {
            self.charge(Instant::now());
        }
    }
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

#[cfg(test)]
mod tests {
    use std::task::{Context, Waker};

    use bytes::Bytes;
    use http_body_util::Empty;
    use pointbook_domain::TenantId;

    use super::*;
    use crate::kernel::gateway::permits::Permits;
    use crate::kernel::limits::HttpLimits;

    fn worker(tenant: &str) -> Worker {
        Worker::Tenant(TenantId::new(tenant).unwrap())
    }

    async fn called(
        threads: &Threads,
        tenant: &str,
        answer: impl Future<Output = i32>,
    ) -> Result<i32, Ended> {
        let permits = Permits::new(&HttpLimits::default());
        let body = RequestBody::new(&permits, Empty::<Bytes>::new());
        let lane = || WorkLane::of(worker(tenant), None, None, "r1");
        call(answer, Duration::from_secs(3), (threads, true), &body, || worker(tenant), lane).await
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_that_waits_for_a_thread_has_a_time_limit() {
        let threads = Threads::new(2);
        // So late that the test does not see the debt get smaller.
        let late = Instant::now() + Duration::from_hours(1);
        threads.charge(&worker("heavy"), Duration::from_secs(2), late);
        threads.charge(&worker("light"), Duration::from_millis(1), late);
        let mut other = threads.request();
        let cx = Context::from_waker(Waker::noop());
        assert!(other.enter(&cx, || late, || worker("heavy"), String::new));
        assert_eq!(called(&threads, "light", async { 7 }).await, Ok(7));
        assert_eq!(called(&threads, "heavy", async { 7 }).await, Err(Ended::TimedOut));
        other.leave(late);
        assert_eq!(called(&threads, "heavy", async { panic!("no") }).await, Err(Ended::Panicked));
        assert_eq!(called(&threads, "heavy", async { 7 }).await, Ok(7), "the slot came back");
    }
}
