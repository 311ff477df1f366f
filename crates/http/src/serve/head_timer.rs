//! The time limits on waiting for a request's head.
//!
//! hyper asks its timer for a new sleep before every head. Entering and leaving tokio's timer wheel
//! that often costs more than finding a tenant, so a connection has one sleep, and it is set anew only
//! when it fires too early or must fire earlier.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::rt;
use tokio::time::{Instant, Sleep};

use crate::HttpLimits;

/// One connection's timer, and how its reader tells that bytes came.
#[derive(Clone)]
pub(super) struct HeadTimer(Arc<Mutex<State>>);

struct State {
    sleep: Pin<Box<Sleep>>,
    waiting_since: Instant,
    /// When the head began to come; an opened connection counts as begun.
    begun_at: Option<Instant>,
    is_first: bool,
    head_timeout: Duration,
    idle_timeout: Duration,
}

impl HeadTimer {
    /// The timer of a connection that opens now.
    pub(super) fn new(limits: &HttpLimits) -> Self {
        let (now, head_timeout) = (Instant::now(), limits.header_read_timeout());
        Self(Arc::new(Mutex::new(State {
            sleep: Box::pin(tokio::time::sleep_until(now + head_timeout)),
            waiting_since: now,
            begun_at: Some(now),
            is_first: true,
            head_timeout,
            idle_timeout: limits.keep_alive_idle(),
        })))
    }

    /// Says that bytes came.
    pub(super) fn bytes_came(&self) {
        self.lock().begun_at.get_or_insert_with(Instant::now);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn await_head(&mut self) {
        if self.is_first {
            self.is_first = false;
        } else {
            (self.waiting_since, self.begun_at) = (Instant::now(), None);
        }
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let deadline = match self.begun_at {
            Some(begun_at) => begun_at + self.head_timeout,
            None => self.waiting_since + self.idle_timeout,
        };
        if self.sleep.deadline() > deadline {
            self.sleep.as_mut().reset(deadline);
        }
        while self.sleep.as_mut().poll(cx).is_ready() {
            if self.sleep.deadline() >= deadline {
                return Poll::Ready(());
            }
            self.sleep.as_mut().reset(deadline);
        }
        Poll::Pending
    }
}

/// hyper's sleep; when it ends is known better here than by hyper.
struct HeadSleep(HeadTimer);

impl Future for HeadSleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.0.lock().poll(cx)
    }
}

impl rt::Sleep for HeadSleep {}

impl rt::Timer for HeadTimer {
    fn sleep(&self, _: Duration) -> Pin<Box<dyn rt::Sleep>> {
        self.lock().await_head();
        Box::pin(HeadSleep(self.clone()))
    }

    fn sleep_until(&self, _: std::time::Instant) -> Pin<Box<dyn rt::Sleep>> {
        self.sleep(Duration::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use hyper::rt::Timer;
    use tokio::time::timeout;

    use super::*;

    fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    fn timer() -> HeadTimer {
        HeadTimer::new(&HttpLimits {
            header_read_timeout_ms: 10_000,
            keep_alive_idle_ms: 75_000,
            ..HttpLimits::default()
        })
    }

    #[tokio::test(start_paused = true)]
    async fn a_new_connection_has_the_time_of_a_head() {
        let (timer, started) = (timer(), Instant::now());
        timer.sleep(seconds(0)).await;
        assert_eq!(started.elapsed(), seconds(10));
    }

    #[tokio::test(start_paused = true)]
    async fn a_kept_connection_has_the_idle_time_from_its_last_answer() {
        let timer = timer();
        drop(timer.sleep(seconds(0)));
        tokio::time::advance(seconds(60)).await;
        let started = Instant::now();
        timer.sleep(seconds(0)).await;
        assert_eq!(started.elapsed(), seconds(75));
    }

    #[tokio::test(start_paused = true)]
    async fn the_first_byte_starts_the_time_of_a_head() {
        let timer = timer();
        drop(timer.sleep(seconds(0)));
        let mut second = timer.sleep(seconds(0));
        assert!(timeout(seconds(60), second.as_mut()).await.is_err());
        timer.bytes_came();
        let started = Instant::now();
        tokio::time::advance(seconds(4)).await;
        timer.bytes_came();
        second.await;
        assert_eq!(started.elapsed(), seconds(10));
    }
}
