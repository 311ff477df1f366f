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
use tokio::time::{Instant, Sleep, sleep_until};

use crate::kernel::limits::HttpLimits;

/// One connection's timer, and how its reader tells that bytes came.
#[derive(Clone)]
pub(super) struct HeadTimer(Arc<Mutex<State>>);

struct State {
    sleep: Pin<Box<Sleep>>,
    head_timeout: Duration,
    idle_timeout: Duration,
    /// No head was waited for yet: the first one counts as begun when the connection opened.
    is_new: bool,
    /// Whether bytes of the head came.
    has_begun: bool,
    /// Until when its first byte may come, or its end once it has begun. `None` until hyper waits for that.
    until: Option<Instant>,
}

impl HeadTimer {
    pub(super) fn new(limits: &HttpLimits) -> Self {
        let head_timeout = Duration::from_millis(limits.header_read_timeout_ms);
        let until = Instant::now() + head_timeout;
        Self(Arc::new(Mutex::new(State {
            sleep: Box::pin(sleep_until(until)),
            head_timeout,
            idle_timeout: Duration::from_millis(limits.keep_alive_idle_ms),
            is_new: true,
            has_begun: true,
            until: Some(until),
        })))
    }

    pub(super) fn bytes_came(&self) {
        let mut state = self.lock();
        if !state.has_begun {
            (state.has_begun, state.until) = (true, None);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn await_head(&mut self) {
        if !std::mem::take(&mut self.is_new) {
            (self.has_begun, self.until) = (false, None);
        }
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let timeout = if self.has_begun { self.head_timeout } else { self.idle_timeout };
        let deadline = *self.until.get_or_insert_with(|| Instant::now() + timeout);
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

/// hyper's sleep, which ends when the state says so.
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
        // hyper waits again at once, as long as the head has no end.
        let started = Instant::now();
        assert!(timeout(seconds(0), second.as_mut()).await.is_err());
        tokio::time::advance(seconds(4)).await;
        timer.bytes_came();
        second.await;
        assert_eq!(started.elapsed(), seconds(10));
    }
}
