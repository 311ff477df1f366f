//! The time limits on waiting for a request's head.
//!
//! hyper asks its timer for a new sleep before every head. Entering and leaving tokio's timer wheel
//! that often costs more than finding a tenant, so a connection has one sleep, and it is set anew only
//! when it fires too early or must fire earlier. The clock is read only when hyper has to wait.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::rt;
use tokio::time::{Instant, Sleep};

use crate::limits::HttpLimits;

/// One connection's timer, and how its reader tells that bytes came.
#[derive(Clone)]
pub(super) struct HeadTimer(Arc<Shared>);

struct Shared {
    is_first: AtomicBool,
    /// Whether a head is waited for that was not when the clock was last read.
    is_next: AtomicBool,
    /// Whether bytes of it came.
    has_begun: AtomicBool,
    state: Mutex<State>,
    opened_at: Instant,
}

struct State {
    sleep: Pin<Box<Sleep>>,
    waiting_since: Instant,
    /// When the head began to come; an opened connection counts as begun.
    begun_at: Option<Instant>,
    head_timeout: Duration,
    idle_timeout: Duration,
}

impl HeadTimer {
    /// The timer of a connection that opens now.
    pub(super) fn new(limits: &HttpLimits) -> Self {
        let (now, head_timeout) = (Instant::now(), limits.header_read_timeout());
        let state = State {
            sleep: Box::pin(tokio::time::sleep_until(now + head_timeout)),
            waiting_since: now,
            begun_at: Some(now),
            head_timeout,
            idle_timeout: limits.keep_alive_idle(),
        };
        Self(Arc::new(Shared {
            is_first: AtomicBool::new(true),
            is_next: AtomicBool::new(false),
            has_begun: AtomicBool::new(true),
            state: Mutex::new(state),
            opened_at: now,
        }))
    }

    /// Says that bytes came.
    pub(super) fn bytes_came(&self) {
        self.0.has_begun.store(true, Ordering::Relaxed);
    }

    /// Says that the next head is waited for.
    fn await_head(&self) {
        if self.0.is_first.load(Ordering::Relaxed) {
            self.0.is_first.store(false, Ordering::Relaxed);
        } else {
            self.0.is_next.store(true, Ordering::Relaxed);
            self.0.has_begun.store(false, Ordering::Relaxed);
        }
    }
}

impl Shared {
    fn poll(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_next.load(Ordering::Relaxed) {
            self.is_next.store(false, Ordering::Relaxed);
            (state.waiting_since, state.begun_at) = (Instant::now(), None);
        }
        if self.has_begun.load(Ordering::Relaxed) {
            state.begun_at.get_or_insert_with(Instant::now);
        }
        state.poll(cx)
    }
}

impl State {
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
        self.0.0.poll(cx)
    }
}

impl rt::Sleep for HeadSleep {}

impl rt::Timer for HeadTimer {
    /// For a deadline that nobody looks at.
    fn now(&self) -> std::time::Instant {
        self.0.opened_at.into_std()
    }

    fn sleep(&self, _: Duration) -> Pin<Box<dyn rt::Sleep>> {
        self.await_head();
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
