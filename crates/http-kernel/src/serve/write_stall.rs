//! The time limit on clients that do not read: without one, whoever never reads an answer would keep
//! a connection and the answer's memory for ever.

use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::time::{Sleep, sleep};

/// Watches the writes of one connection. The sleep is made only when a write has to wait, which for
/// most connections is never.
pub(super) struct WriteStall {
    limit: Duration,
    waiting: Option<Pin<Box<Sleep>>>,
}

impl WriteStall {
    /// Writes may stand still for this long.
    pub(super) fn new(limit: Duration) -> Self {
        Self { limit, waiting: None }
    }

    /// What a write came to: as it was, unless it has been waiting for too long without any progress.
    pub(super) fn watch<T>(
        &mut self,
        written: Poll<io::Result<T>>,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.waiting = None;
            return written;
        }
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(self.limit)));
        ready!(waiting.as_mut().poll(cx));
        Poll::Ready(Err(ErrorKind::TimedOut.into()))
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use tokio::time::{Instant, advance};

    use super::*;

    async fn watch(stall: &mut WriteStall, written: impl Fn() -> Poll<io::Result<()>>) -> io::Result<()> {
        poll_fn(|cx| stall.watch(written(), cx)).await
    }

    #[tokio::test(start_paused = true)]
    async fn a_write_that_waits_for_too_long_has_failed() {
        let (mut stall, started) = (WriteStall::new(Duration::from_secs(10)), Instant::now());
        let error = watch(&mut stall, || Poll::Pending).await.unwrap_err();
        assert_eq!((error.kind(), started.elapsed()), (ErrorKind::TimedOut, Duration::from_secs(10)));
    }

    #[tokio::test(start_paused = true)]
    async fn progress_starts_the_time_anew() {
        let mut stall = WriteStall::new(Duration::from_secs(10));
        let is_waiting = poll_fn(|cx| Poll::Ready(stall.watch::<()>(Poll::Pending, cx).is_pending()));
        assert!(is_waiting.await);
        advance(Duration::from_secs(9)).await;
        watch(&mut stall, || Poll::Ready(Ok(()))).await.unwrap();
        let started = Instant::now();
        assert!(watch(&mut stall, || Poll::Pending).await.is_err());
        assert_eq!(started.elapsed(), Duration::from_secs(10));
    }
}
