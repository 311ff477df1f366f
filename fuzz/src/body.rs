//! The body of a request that arrives in pieces.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::LazyLock;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame};
use pointbook_http::kernel::{HttpLimits, Permits, RequestBody};
use tokio::runtime::{Builder, Runtime};

static PERMITS: LazyLock<Permits> = LazyLock::new(|| Permits::new(&HttpLimits::default()));

static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| Builder::new_current_thread().enable_time().build().unwrap());

/// How a body arrives: as a whole, or in some dozens of pieces that the reader waits for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Arrival {
    Whole,
    InPieces,
}

/// Gives the body to a reader.
pub(crate) fn receive<T>(bytes: &[u8], arrival: Arrival, read: impl AsyncFnOnce(&RequestBody<'_>) -> T) -> T {
    let most = match arrival {
        Arrival::Whole => bytes.len(),
        Arrival::InPieces => 1 + bytes.len() % 7 + bytes.len() / 32,
    };
    let pieces = Pieces { rest: Bytes::copy_from_slice(bytes), most, is_late: false };
    RUNTIME.block_on(read(&RequestBody::new(&PERMITS, pieces)))
}

struct Pieces {
    rest: Bytes,
    /// The length of a piece.
    most: usize,
    /// Whether the reader has waited for this piece.
    is_late: bool,
}

impl Body for Pieces {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.rest.is_empty() {
            return Poll::Ready(None);
        }
        if self.most < self.rest.len() {
            self.is_late = !self.is_late;
            if self.is_late {
                context.waker().wake_by_ref();
                return Poll::Pending;
            }
        }
        let most = self.most.min(self.rest.len());
        Poll::Ready(Some(Ok(Frame::data(self.rest.split_to(most)))))
    }
}
