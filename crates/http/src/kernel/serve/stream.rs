//! A client's stream: it reports received bytes, limits writes in time, and lingers when it closes.
//!
//! A client that gets a response before the server has read the whole request (a 405 to a long body, a head that is
//! too long) is often still sending. Closing a socket with unread bytes resets the connection, and the client could
//! lose the response. So the server reads and drops what still comes, for a moment, until the client ends its side too.

use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

use super::head_timer::HeadTimer;

/// How long the server drops what a client still sends before it closes the connection.
const LINGER: Duration = Duration::from_secs(1);

/// Head and body of a response of up to this length are written as one piece. The system takes a quarter of a
/// microsecond longer for two, which is more than the copy.
const JOINED_BYTES: usize = 2_048;

pub(super) struct ClientStream {
    stream: TcpStream,
    timer: HeadTimer,
    stall: WriteStall,
    is_ended: bool,
    /// Runs once the connection is being closed.
    lingering: Option<Pin<Box<Sleep>>>,
}

impl ClientStream {
    pub(super) fn new(stream: TcpStream, timer: HeadTimer, write_stall: Duration) -> Self {
        let stall = WriteStall { limit: write_stall, waiting: None };
        Self { stream, timer, stall, is_ended: false, lingering: None }
    }

    /// Drops what a client still sends, until it ends its side or the time is over.
    fn poll_linger(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let lingering = self.lingering.get_or_insert_with(|| Box::pin(sleep(LINGER)));
        // Before reading: a client that always has more to send would use up the task's budget, and
        // a sleep without budget is never over.
        if lingering.as_mut().poll(cx).is_ready() {
            return Poll::Ready(());
        }
        let mut scratch = [0; 4_096];
        loop {
            let mut buffer = ReadBuf::new(&mut scratch);
            match Pin::new(&mut self.stream).poll_read(cx, &mut buffer) {
                Poll::Ready(Ok(())) if !buffer.filled().is_empty() => {}
                Poll::Ready(_) => return Poll::Ready(()),
                Poll::Pending => return Poll::Pending,
            }
        }
    }
}

impl AsyncRead for ClientStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let (before, has_room) = (buffer.filled().len(), buffer.remaining() > 0);
        ready!(Pin::new(&mut self.stream).poll_read(cx, buffer))?;
        if buffer.filled().len() == before {
            self.is_ended = has_room;
        } else {
            self.timer.bytes_came();
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for ClientStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.stall.watch(written, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let mut joined = [0; JOINED_BYTES];
        let stream = Pin::new(&mut self.stream);
        let written = match join(slices, &mut joined) {
            Some(joined) => stream.poll_write(cx, joined),
            None => stream.poll_write_vectored(cx, slices),
        };
        self.stall.watch(written, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        // TCP has no buffer to flush.
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.lingering.is_none() {
            ready!(Pin::new(&mut self.stream).poll_shutdown(cx))?;
        }
        if !self.is_ended {
            ready!(self.poll_linger(cx));
        }
        Poll::Ready(Ok(()))
    }
}

/// The pieces one after the other; `None` when they are longer than the buffer.
fn join<'b>(pieces: &[IoSlice<'_>], buffer: &'b mut [u8]) -> Option<&'b [u8]> {
    let length = pieces.iter().map(|piece| piece.len()).sum();
    let joined = buffer.get_mut(..length)?;
    let mut room = &mut *joined;
    for piece in pieces {
        let (start, rest) = room.split_at_mut_checked(piece.len())?;
        start.copy_from_slice(piece);
        room = rest;
    }
    Some(joined)
}

/// The time limit on clients that do not read: without one, such a client would keep a connection and the response's
/// memory for ever.
struct WriteStall {
    limit: Duration,
    /// Runs while a write has to wait, which on most connections never happens.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl WriteStall {
    /// What a write came to: as it was, unless it has been waiting for too long without any progress.
    fn watch<T>(&mut self, written: Poll<io::Result<T>>, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
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

    #[test]
    fn short_pieces_are_joined_in_their_order() {
        let joined = |pieces: &[&[u8]]| {
            let slices: Vec<_> = pieces.iter().map(|piece| IoSlice::new(piece)).collect();
            join(&slices, &mut [0; 4]).map(<[u8]>::to_vec)
        };
        assert_eq!(joined(&[b"a", b"", b"bc"]).as_deref(), Some(&b"abc"[..]));
        assert_eq!(joined(&[b"ab", b"cd"]).as_deref(), Some(&b"abcd"[..]));
        assert_eq!(joined(&[b"ab", b"cde"]), None);
        assert_eq!(joined(&[]).as_deref(), Some(&b""[..]));
    }

    fn stall() -> WriteStall {
        WriteStall { limit: Duration::from_secs(10), waiting: None }
    }

    async fn watch(stall: &mut WriteStall, written: impl Fn() -> Poll<io::Result<()>>) -> io::Result<()> {
        poll_fn(|cx| stall.watch(written(), cx)).await
    }

    #[tokio::test(start_paused = true)]
    async fn a_write_that_waits_for_too_long_has_failed() {
        let (mut stall, started) = (stall(), Instant::now());
        let error = watch(&mut stall, || Poll::Pending).await.unwrap_err();
        assert_eq!((error.kind(), started.elapsed()), (ErrorKind::TimedOut, Duration::from_secs(10)));
    }

    #[tokio::test(start_paused = true)]
    async fn progress_starts_the_time_anew() {
        let mut stall = stall();
        let is_waiting = poll_fn(|cx| Poll::Ready(stall.watch::<()>(Poll::Pending, cx).is_pending()));
        assert!(is_waiting.await);
        advance(Duration::from_secs(9)).await;
        watch(&mut stall, || Poll::Ready(Ok(()))).await.unwrap();
        let started = Instant::now();
        assert!(watch(&mut stall, || Poll::Pending).await.is_err());
        assert_eq!(started.elapsed(), Duration::from_secs(10));
    }
}
