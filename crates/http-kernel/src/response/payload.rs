//! The bytes of an answer.

use std::borrow::Cow;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::buf::Chain;
use bytes::{Buf, Bytes};
use hyper::body::{Body, Frame, SizeHint};

/// A body in memory: shared bytes, perhaps between two fixed pieces. All of them are written at once,
/// so that what is kept ready is never copied.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Payload {
    before: &'static [u8],
    bytes: Bytes,
    after: &'static [u8],
}

impl Payload {
    /// Bytes between two fixed pieces.
    pub fn between(before: &'static [u8], bytes: Bytes, after: &'static [u8]) -> Self {
        Self { before, bytes, after }
    }

    /// The part that is not fixed.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// All of it, copied.
    pub fn to_vec(&self) -> Vec<u8> {
        [self.before, &self.bytes, self.after].concat()
    }

    /// All of it in one piece, copied only where there are several.
    pub fn contiguous(&self) -> Cow<'_, [u8]> {
        if self.before.is_empty() && self.after.is_empty() {
            Cow::Borrowed(&self.bytes)
        } else {
            Cow::Owned(self.to_vec())
        }
    }

    /// The length of all, in bytes.
    pub fn len(&self) -> usize {
        self.before.len() + self.bytes.len() + self.after.len()
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl From<Bytes> for Payload {
    fn from(bytes: Bytes) -> Self {
        Self::between(b"", bytes, b"")
    }
}

impl From<Vec<u8>> for Payload {
    fn from(bytes: Vec<u8>) -> Self {
        Bytes::from(bytes).into()
    }
}

impl From<String> for Payload {
    fn from(text: String) -> Self {
        Bytes::from(text).into()
    }
}

impl From<&'static str> for Payload {
    fn from(text: &'static str) -> Self {
        Bytes::from_static(text.as_bytes()).into()
    }
}

impl Body for Payload {
    type Data = Chain<Chain<&'static [u8], Bytes>, &'static [u8]>;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Infallible>>> {
        if self.is_empty() {
            return Poll::Ready(None);
        }
        let Self { before, bytes, after } = std::mem::take(&mut *self);
        Poll::Ready(Some(Ok(Frame::data(before.chain(bytes).chain(after)))))
    }

    fn is_end_stream(&self) -> bool {
        self.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.len() as u64)
    }
}
