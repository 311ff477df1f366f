//! The bytes of a body as they come in.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use hyper::body::Body;

use crate::BoxError;
use crate::refusal::Refusal;

/// The least room that is made for a body that comes in several pieces, in bytes.
const MIN_ROOM: usize = 4 * 1024;

/// What came of a body so far. A body in one piece is never copied.
pub(super) struct Received {
    only: Bytes,
    joined: Vec<u8>,
    max_bytes: u64,
    /// As far as the client said: no more room is made than that.
    declared_bytes: Option<u64>,
}

/// Reads all pieces that are there. `grow` is told each time how much more memory the body takes.
pub(super) fn poll_received(
    body: &mut BoxBody<Bytes, BoxError>,
    received: &mut Received,
    cx: &mut Context<'_>,
    grow: impl Fn(usize) -> Result<(), Refusal>,
) -> Poll<Result<(), Refusal>> {
    while !body.is_end_stream() {
        let Some(frame) = ready!(Pin::new(&mut *body).poll_frame(cx)) else { break };
        // A client that breaks off reads no response anyway.
        let frame = frame.map_err(|_| Refusal::BadRequest)?;
        if let Ok(data) = frame.into_data() {
            let before = received.memory_bytes();
            received.push(data)?;
            grow(received.memory_bytes() - before)?;
        }
    }
    Poll::Ready(Ok(()))
}

impl Received {
    pub(super) fn new(max_bytes: u64, declared_bytes: Option<u64>) -> Self {
        Self { only: Bytes::new(), joined: Vec::new(), max_bytes, declared_bytes }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How much memory is taken.
    pub(super) fn memory_bytes(&self) -> usize {
        self.only.len() + self.joined.capacity()
    }

    pub(super) fn into_bytes(self) -> Bytes {
        if self.joined.is_empty() { self.only } else { self.joined.into() }
    }

    fn len(&self) -> usize {
        self.only.len() + self.joined.len()
    }

    fn push(&mut self, data: Bytes) -> Result<(), Refusal> {
        let length = self.len() + data.len();
        if length as u64 > self.max_bytes {
            return Err(Refusal::PayloadTooLarge);
        }
        if self.is_empty() {
            self.only = data;
            return Ok(());
        }
        self.make_room(length);
        self.joined.extend_from_slice(&std::mem::take(&mut self.only));
        self.joined.extend_from_slice(&data);
        Ok(())
    }

    /// Doubles the room where more is needed, but never beyond what may come.
    fn make_room(&mut self, length: usize) {
        if length > self.joined.capacity() {
            let most = self.declared_bytes.unwrap_or(u64::MAX).min(self.max_bytes);
            let room =
                (2 * length).max(MIN_ROOM).min(usize::try_from(most).unwrap_or(usize::MAX)).max(length);
            self.joined.reserve_exact(room - self.joined.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn received(pieces: &[&'static str], max_bytes: u64, declared: Option<u64>) -> Result<Received, Refusal> {
        let mut received = Received::new(max_bytes, declared);
        for piece in pieces {
            received.push(Bytes::from_static(piece.as_bytes()))?;
        }
        Ok(received)
    }

    #[test]
    fn pieces_are_joined_in_their_order() {
        for pieces in [&[][..], &["abc"], &["a", "", "bc", "d"]] {
            assert_eq!(received(pieces, 4, None).unwrap().into_bytes(), pieces.concat());
        }
    }

    #[test]
    fn a_body_ends_at_its_limit() {
        assert!(received(&["ab", "c"], 3, None).is_ok());
        assert!(matches!(received(&["ab", "cd"], 3, None), Err(Refusal::PayloadTooLarge)));
    }

    #[test]
    fn no_more_room_is_made_than_was_declared() {
        let memory_bytes =
            |max_bytes, declared| received(&["abc", "d"], max_bytes, declared).unwrap().memory_bytes();
        assert_eq!(memory_bytes(1_000, Some(10)), 10);
        assert_eq!(memory_bytes(1_000, None), 1_000);
        assert_eq!(memory_bytes(1 << 20, None), MIN_ROOM);
    }
}
