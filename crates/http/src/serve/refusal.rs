//! JSON bodies for what hyper refuses by itself.
//!
//! To bytes that are no request, and to heads beyond its limits, hyper answers without asking us and
//! without a body, and has no hook for it. So the stream beneath it recognises those answers by their
//! first bytes and sends our own in their place.
//!
//! Whoever is answered before all was read (a refusal, a 405 to a long body) is often still sending.
//! To close on unread bytes would reset the connection, and the client could lose the answer; so what
//! it sends is read away for a moment, until it ends its side as well.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Buf, Bytes};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use super::head_timer::HeadTimer;
use super::pieces;
use super::write_stall::WriteStall;
use crate::ApiError;
use crate::metrics::RequestMetrics;

/// For how long a client that has its answer is read away before its connection is closed.
const LINGER: Duration = Duration::from_secs(1);

/// A client's stream.
pub(super) struct WithRefusals<S> {
    stream: S,
    timer: HeadTimer,
    /// Whether a line ended since the last answer. When a head is too long and its first line has not
    /// even ended, it is the URI that is too long.
    line_ended: bool,
    /// What is still to be sent of our own refusal.
    refusal: Bytes,
    stall: WriteStall,
    /// Whether the client ended its side, so that nothing more comes.
    is_ended: bool,
    /// Runs once the connection is being closed.
    lingering: Option<Pin<Box<Sleep>>>,
}

impl<S: AsyncWrite + Unpin> WithRefusals<S> {
    pub(super) fn new(stream: S, timer: HeadTimer, stall: WriteStall) -> Self {
        Self {
            stream,
            timer,
            line_ended: false,
            refusal: Bytes::new(),
            stall,
            is_ended: false,
            lingering: None,
        }
    }

    /// Sends the rest of our refusal.
    fn poll_refusal(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.refusal.is_empty() {
            let sent = Pin::new(&mut self.stream).poll_write(cx, &self.refusal);
            let sent = ready!(self.stall.watch(sent, cx))?;
            if sent == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.refusal.advance(sent);
        }
        Poll::Ready(Ok(()))
    }

    /// When these bytes are a refusal of hyper's, prepares ours and says so.
    fn replaces(&mut self, bytes: &[u8]) -> bool {
        let Some(error) = refusal_in(bytes) else {
            self.line_ended = false;
            return false;
        };
        let error = match error {
            ApiError::HeadersTooLarge if !self.line_ended => ApiError::UriTooLong,
            other => other,
        };
        RequestMetrics::observe_unparsed(error.status());
        self.refusal = answer(&error, bytes).into();
        true
    }
}

impl<S: AsyncRead + Unpin> WithRefusals<S> {
    /// Reads away what a client still sends, until it ends its side or the time is over.
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

/// Which error hyper answers in these bytes; none for every answer of our own, as those have bodies.
fn refusal_in(bytes: &[u8]) -> Option<ApiError> {
    let error = match bytes.strip_prefix(b"HTTP/1.1 4")?.get(..3)? {
        b"00 " => ApiError::BadRequest,
        b"14 " => ApiError::UriTooLong,
        b"31 " => ApiError::HeadersTooLarge,
        _ => return None,
    };
    let is_bodiless = bytes.ends_with(b"\r\n\r\n") && lines(bytes).any(is_empty_length);
    is_bodiless.then_some(error)
}

/// The same answer with a body: its other headers are hyper's.
fn answer(error: &ApiError, refusal: &[u8]) -> Vec<u8> {
    let (status, body) = (error.status(), error.body());
    let mut answer = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncache-control: no-cache, private\r\n\
         content-length: {}\r\n",
        body.len()
    )
    .into_bytes();
    for line in lines(refusal).skip(1).filter(|line| !line.is_empty() && !is_empty_length(line)) {
        answer.extend_from_slice(line);
        answer.extend_from_slice(b"\r\n");
    }
    answer.extend_from_slice(b"\r\n");
    answer.extend_from_slice(&body);
    answer
}

fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}

fn is_empty_length(line: &[u8]) -> bool {
    line.eq_ignore_ascii_case(b"content-length: 0")
}

impl<S: AsyncRead + Unpin> AsyncRead for WithRefusals<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let (before, has_room) = (buffer.filled().len(), buffer.remaining() > 0);
        ready!(Pin::new(&mut self.stream).poll_read(cx, buffer))?;
        let read = buffer.filled().get(before..).unwrap_or_default();
        if read.is_empty() {
            self.is_ended = has_room;
        } else {
            self.timer.bytes_came();
            self.line_ended = self.line_ended || read.contains(&b'\n');
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for WithRefusals<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.replaces(bytes) {
            return Poll::Ready(Ok(bytes.len()));
        }
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.stall.watch(written, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let head = slices.first().map_or(&[][..], |slice| slice);
        if self.replaces(head) {
            return Poll::Ready(Ok(head.len()));
        }
        let written = pieces::poll_write(&mut self.stream, cx, slices);
        self.stall.watch(written, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_refusal(cx))?;
        let flushed = Pin::new(&mut self.stream).poll_flush(cx);
        self.stall.watch(flushed, cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.lingering.is_none() {
            ready!(self.poll_refusal(cx))?;
            ready!(Pin::new(&mut self.stream).poll_shutdown(cx))?;
        }
        if !self.is_ended {
            ready!(self.poll_linger(cx));
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REFUSAL: &[u8] =
        b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\ndate: today\r\n\r\n";

    #[test]
    fn a_refusal_gets_the_body_of_the_table_and_keeps_its_headers() {
        let error = refusal_in(REFUSAL).unwrap();
        let text = String::from_utf8(answer(&error, REFUSAL)).unwrap();
        assert_eq!(
            text,
            "HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\n\
             cache-control: no-cache, private\r\ncontent-length: 26\r\nconnection: close\r\n\
             date: today\r\n\r\n{\"message\":\"Bad request.\"}"
        );
    }

    #[test]
    fn our_own_answers_are_left_alone() {
        for own in [
            &b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"[..],
            b"HTTP/1.1 400 Bad Request\r\ncontent-length: 26\r\n\r\n",
            b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n",
            b"{\"data\":[]}",
            b"",
        ] {
            assert!(refusal_in(own).is_none());
        }
    }
}
