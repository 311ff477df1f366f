//! The body of one request: how it is received, within which bounds, and what becomes of a body that was not read.

use std::future::poll_fn;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use http::HeaderMap;
use http::header::EXPECT;
use http_body_util::BodyExt;
use http_body_util::combinators::BoxBody;
use hyper::body::Body;
use tokio::time::timeout;

use super::arriving::{ArrivingBodies, BodyOwner, BodyPermits};
use super::in_flight::InFlight;
use super::received::{Received, poll_received};
use crate::BoxError;
use crate::limits::HttpLimits;
use crate::refusal::Refusal;

/// Up to so many bytes of an unread body are read and dropped, so that the connection stays usable.
const MAX_DROPPED_BYTES: u64 = 64 * 1024;

/// The permits of a gateway.
pub struct Permits {
    in_flight: InFlight,
    arriving: ArrivingBodies,
    body_read_timeout: Duration,
}

impl Permits {
    /// As many as the limits say.
    pub fn new(limits: &HttpLimits) -> Self {
        Self {
            in_flight: InFlight::new(limits.max_concurrent_requests),
            arriving: ArrivingBodies::new(limits),
            body_read_timeout: limits.body_read_timeout(),
        }
    }

    /// Whether one more request gets a working permit. A refusal is counted.
    pub(crate) fn admits(&self, has_body: bool) -> bool {
        self.in_flight.admits(has_body)
    }

    /// Whether a request was refused within the last seconds because all permits were taken.
    pub(crate) fn is_saturated(&self) -> bool {
        self.in_flight.is_saturated()
    }
}

/// The body of a request, and the permits that the request holds meanwhile. They are given back when this is
/// dropped.
pub struct RequestBody<'g> {
    permits: &'g Permits,
    max_bytes: u64,
    has_body: bool,
    state: Mutex<State>,
}

struct State {
    content: Content,
    phase: Phase,
    permits: Option<BodyPermits>,
}

type Unread = BoxBody<Bytes, BoxError>;

enum Content {
    None,
    /// Nothing of it was read.
    Unread(Unread),
    /// It is being read, or was not read to its end.
    Incomplete,
    /// It arrived, and was not taken yet.
    Whole(Bytes),
}

/// What the request is doing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// It did not have to wait so far, and has no permit.
    Started,
    /// It waits for its body, without a permit.
    Receiving,
    /// It waits for something else, with a working permit.
    Working,
}

impl<'g> RequestBody<'g> {
    /// The body of a request that begins.
    pub fn new<B>(permits: &'g Permits, body: B) -> Self
    where
        B: Body<Data = Bytes> + Send + Sync + 'static,
        B::Error: Into<BoxError>,
    {
        let has_body = !body.is_end_stream();
        let content =
            if has_body { Content::Unread(BodyExt::boxed(body.map_err(Into::into))) } else { Content::None };
        let state = Mutex::new(State { content, phase: Phase::Started, permits: None });
        Self { permits, max_bytes: u64::MAX, has_body, state }
    }

    /// The same, where a longer body than this is 413.
    pub fn limit(&mut self, max_bytes: u64) {
        self.max_bytes = max_bytes;
    }

    pub(super) fn has_body(&self) -> bool {
        self.has_body
    }

    /// The length that the client declared, in bytes; 0 for none.
    pub(super) fn declared_bytes(&self) -> u64 {
        match &self.lock().content {
            Content::Unread(body) => body.size_hint().lower(),
            Content::None | Content::Incomplete | Content::Whole(_) => 0,
        }
    }

    /// Takes the whole body, once it arrived.
    ///
    /// # Errors
    /// Those of [`Self::arrival`].
    pub async fn receive(&self, owner: impl FnOnce() -> BodyOwner) -> Result<Bytes, Refusal> {
        self.arrival(owner).await?;
        match std::mem::replace(&mut self.lock().content, Content::None) {
            Content::Whole(bytes) => Ok(bytes),
            _ => Ok(Bytes::new()),
        }
    }

    /// Waits until the whole body is there. Meanwhile the request has the permit of an arriving body in place
    /// of its working permit.
    ///
    /// # Errors
    /// 408 when it does not arrive in time, 413 when it is too long, 400 when the client breaks off, 503 when a
    /// bound is used up. 400 for a reader that asks again after that, unless nothing of it was read.
    pub async fn arrival(&self, owner: impl FnOnce() -> BodyOwner) -> Result<(), Refusal> {
        let Some(mut body) = self.unread()? else { return Ok(()) };
        let mut received = Received::new(self.max_bytes, body.size_hint().upper());
        let at_once =
            poll_fn(|cx| Poll::Ready(poll_received(&mut body, &mut received, cx, |_| Ok(())))).await;
        match at_once {
            Poll::Ready(complete) => complete?,
            Poll::Pending => {
                if let Err(full) = self.begin_receiving(owner(), received.memory_bytes()) {
                    if received.is_empty() {
                        self.lock().content = Content::Unread(body);
                    }
                    return Err(full);
                }
                let rest = poll_fn(|cx| poll_received(&mut body, &mut received, cx, |more| self.grow(more)));
                timeout(self.permits.body_read_timeout, rest)
                    .await
                    .map_err(|_| Refusal::RequestTimeout)??;
                self.begin_working()?;
            }
        }
        self.lock().content = Content::Whole(received.into_bytes());
        Ok(())
    }

    /// The body to be read, when no reader has begun. An error when it was not read to its end.
    fn unread(&self) -> Result<Option<Unread>, Refusal> {
        let content = &mut self.lock().content;
        match std::mem::replace(content, Content::Incomplete) {
            Content::Unread(body) => Ok(Some(body)),
            Content::Incomplete => Err(Refusal::BadRequest),
            other => {
                *content = other;
                Ok(None)
            }
        }
    }

    fn begin_receiving(&self, owner: BodyOwner, bytes: usize) -> Result<(), Refusal> {
        let permits = self.permits.arriving.enter(owner, bytes).map_err(|_| Refusal::Unavailable)?;
        let mut state = self.lock();
        if state.phase == Phase::Working {
            self.permits.in_flight.leave(self.has_body);
        }
        (state.phase, state.permits) = (Phase::Receiving, Some(permits));
        Ok(())
    }

    fn grow(&self, bytes: usize) -> Result<(), Refusal> {
        match &mut self.lock().permits {
            Some(body) => self.permits.arriving.grow(body, bytes).map_err(|_| Refusal::Unavailable),
            None => Ok(()),
        }
    }

    fn begin_working(&self) -> Result<(), Refusal> {
        let mut state = self.lock();
        if let Some(body) = &mut state.permits {
            body.arrived();
        }
        if !self.permits.in_flight.admits(self.has_body) {
            state.phase = Phase::Started;
            return Err(Refusal::Unavailable);
        }
        self.permits.in_flight.enter(self.has_body);
        state.phase = Phase::Working;
        Ok(())
    }

    /// Notes that the request waits: for something else than its body it needs a working permit. Returns
    /// whether it has one.
    pub(super) fn is_working(&self) -> bool {
        let mut state = self.lock();
        if state.phase == Phase::Started {
            self.permits.in_flight.enter(self.has_body);
            state.phase = Phase::Working;
        }
        state.phase == Phase::Working
    }

    /// Settles what is left of the body once the response is known. Returns whether the connection must be
    /// closed after it: what is left is too long to be read and dropped, or its end is unknown, or the client
    /// may never send it, because it waits for `100 Continue`.
    pub(super) fn settle(&self, headers: &HeaderMap) -> bool {
        if !self.has_body {
            return false;
        }
        match std::mem::replace(&mut self.lock().content, Content::None) {
            Content::None | Content::Whole(_) => false,
            Content::Incomplete => true,
            Content::Unread(body) => {
                let declared = body.size_hint().exact();
                let is_short = declared.is_some_and(|bytes| bytes <= MAX_DROPPED_BYTES);
                if !is_short || headers.contains_key(EXPECT) {
                    return true;
                }
                tokio::spawn(timeout(self.permits.body_read_timeout, dropped(body)));
                false
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads a body to its end, and keeps nothing of it.
async fn dropped(mut body: Unread) {
    while let Some(Ok(_)) = body.frame().await {}
}

impl Drop for RequestBody<'_> {
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        if state.phase == Phase::Working {
            self.permits.in_flight.leave(self.has_body);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::task::Context;

    use hyper::body::Frame;

    use super::*;

    /// A body whose client breaks off.
    struct Broken;

    impl Body for Broken {
        type Data = Bytes;
        type Error = BoxError;

        fn poll_frame(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
            Poll::Ready(Some(Err("broken off".into())))
        }
    }

    #[tokio::test]
    async fn a_body_that_was_not_read_to_its_end_stays_so() {
        let permits = Permits::new(&HttpLimits::default());
        let body = RequestBody::new(&permits, Broken);
        for attempt in 0..3 {
            let received = body.receive(|| unreachable!("it does not wait")).await;
            assert!(matches!(received, Err(Refusal::BadRequest)), "{attempt}");
        }
        assert!(body.settle(&HeaderMap::new()), "the connection cannot be used again");
    }
}
