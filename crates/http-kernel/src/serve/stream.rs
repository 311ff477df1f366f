//! A client's stream: it reports received bytes, limits writes in time, and lingers when it closes.
//!
//! A client that gets a response before the server has read the whole request (a 405 to a long body, a head that is
//! too long) is often still sending. Closing a socket with unread bytes resets the connection, and the client could
//! lose the response. So the server reads and drops what still comes, for a moment, until the client ends its side too.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use super::head_timer::HeadTimer;
use super::pieces;
use super::write_stall::WriteStall;

/// How long the server drops what a client still sends before it closes the connection.
const LINGER: Duration = Duration::from_secs(1);

/// The stream of one connection.
pub(super) struct ClientStream<S> {
    stream: S,
    timer: HeadTimer,
    stall: WriteStall,
    /// Whether the client ended its side, so that nothing more comes.
    is_ended: bool,
    /// Runs once the connection is being closed.
    lingering: Option<Pin<Box<Sleep>>>,
}

impl<S> ClientStream<S> {
    pub(super) fn new(stream: S, timer: HeadTimer, stall: WriteStall) -> Self {
        Self { stream, timer, stall, is_ended: false, lingering: None }
    }
}

impl<S: AsyncRead + Unpin> ClientStream<S> {
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

impl<S: AsyncRead + Unpin> AsyncRead for ClientStream<S> {
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

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for ClientStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.stall.watch(written, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = pieces::poll_write(&mut self.stream, cx, slices);
        self.stall.watch(written, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(cx);
        self.stall.watch(flushed, cx)
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
