//! The body of one request: its arrival, its bounds, and the rest that was not read.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::HeaderMap;
use http::header::EXPECT;
use http_body_util::BodyExt;
use http_body_util::combinators::BoxBody;
use hyper::body::Body;
use tokio::time::timeout;

use super::arriving::{BodyOwner, BodyPermit};
use super::call::Ended;
use super::permits::{Permits, WorkLane, Working};
use crate::kernel::{BoxError, Refusal};

/// Up to this many bytes of an unread body are read and dropped, so that the connection stays usable.
const MAX_DROPPED_BYTES: u64 = 64 * 1024;

/// The body of a request, and the permits that the request holds until this is dropped.
pub struct RequestBody<'g> {
    permits: &'g Permits,
    max_bytes: u64,
    has_body: bool,
    state: Mutex<State>,
}

struct State {
    content: Content,
    phase: Phase,
    /// For the bytes of a body that did not arrive at once.
    memory: Option<BodyPermit>,
}

type Unread = BoxBody<Bytes, BoxError>;

enum Content {
    /// Nothing of it was read.
    Unread(Unread),
    /// It is being read, or was not read to its end.
    Incomplete,
    /// It arrived. Empty after it was taken, and for a request without a body.
    Whole(Bytes),
}

enum Phase {
    /// The request has not waited yet, and has no permit.
    Started,
    /// The request waits for its body, without a working permit.
    Receiving,
    /// The request waits for something else, with a working permit.
    Working(Working),
}

impl<'g> RequestBody<'g> {
    pub fn new<B>(permits: &'g Permits, body: B) -> Self
    where
        B: Body<Data = Bytes> + Send + Sync + 'static,
        B::Error: Into<BoxError>,
    {
        let has_body = !body.is_end_stream();
        let content = if has_body {
            Content::Unread(BodyExt::boxed(body.map_err(Into::into)))
        } else {
            Content::Whole(Bytes::new())
        };
        let state = Mutex::new(State { content, phase: Phase::Started, memory: None });
        Self { permits, max_bytes: u64::MAX, has_body, state }
    }

    /// Sets the limit of the body.
    ///
    /// # Errors
    /// 413 when the client declared a longer one.
    pub fn limit(&mut self, max_bytes: u64) -> Result<(), Refusal> {
        self.max_bytes = max_bytes;
        match &self.lock().content {
            Content::Unread(body) if body.size_hint().lower() > max_bytes => Err(Refusal::PayloadTooLarge),
            _ => Ok(()),
        }
    }

    pub(super) fn has_body(&self) -> bool {
        self.has_body
    }

    /// Takes the whole body after its arrival.
    ///
    /// # Errors
    /// Those of [`Self::arrival`].
    pub async fn receive(&self, owner: impl FnOnce() -> BodyOwner) -> Result<Bytes, Refusal> {
        self.arrival(owner).await?;
        match &mut self.lock().content {
            Content::Whole(bytes) => Ok(std::mem::take(bytes)),
            Content::Unread(_) | Content::Incomplete => Err(Refusal::BadRequest),
        }
    }

    /// Waits until the whole body has arrived. Meanwhile the request has the permit of an arriving body and no working permit.
    ///
    /// # Errors
    /// 408 when it does not arrive in time, 413 when it is too long, 400 when the client breaks off, 503 when a bound is
    /// exceeded. 400 for a second reader, unless nothing was read.
    pub async fn arrival(&self, owner: impl FnOnce() -> BodyOwner) -> Result<(), Refusal> {
        let Some(mut body) = self.unread()? else { return Ok(()) };
        let most = body.size_hint().upper().unwrap_or(u64::MAX).min(self.max_bytes);
        let max_bytes = usize::try_from(most).unwrap_or(usize::MAX);
        let mut received = Vec::new();
        let mut at_once = |cx: &mut Context<'_>| {
            Poll::Ready(poll_received(&mut body, &mut received, max_bytes, cx, &mut |_| Ok(())))
        };
        match poll_fn(&mut at_once).await {
            Poll::Ready(complete) => {
                complete?;
                self.admitted(owner)?;
            }
            Poll::Pending => self.arrival_of_rest(owner(), body, &mut received, max_bytes).await?,
        }
        self.lock().content = Content::Whole(received.into());
        Ok(())
    }

    async fn arrival_of_rest(
        &self,
        owner: BodyOwner,
        mut body: Unread,
        received: &mut Vec<u8>,
        max_bytes: usize,
    ) -> Result<(), Refusal> {
        let arriving = &self.permits.arriving;
        let Ok([permit, mut memory]) = arriving.enter(owner.clone(), received.capacity()) else {
            if received.is_empty() {
                self.lock().content = Content::Unread(body);
            }
            return Err(Refusal::Unavailable);
        };
        self.lock().phase = Phase::Receiving;
        let mut grow = |bytes| arriving.grow(&mut memory, bytes).map_err(|_| Refusal::Unavailable);
        let rest = poll_fn(|cx| poll_received(&mut body, received, max_bytes, cx, &mut grow));
        timeout(self.permits.body_read_timeout, rest).await.map_err(|_| Refusal::RequestTimeout)??;
        drop(permit);
        {
            let mut state = self.lock();
            (state.phase, state.memory) = (Phase::Started, Some(memory));
        }
        self.admitted(|| owner)
    }

    /// Refuses the request when its principal, who is known now, has its share of the working permits.
    fn admitted(&self, owner: impl FnOnce() -> BodyOwner) -> Result<(), Refusal> {
        if self.permits.admits_owner(owner) { Ok(()) } else { Err(Refusal::Unavailable) }
    }

    /// The body, when no reader has begun. An error when it was not read to its end.
    fn unread(&self) -> Result<Option<Unread>, Refusal> {
        let content = &mut self.lock().content;
        if matches!(content, Content::Whole(_)) {
            return Ok(None);
        }
        match std::mem::replace(content, Content::Incomplete) {
            Content::Unread(body) => Ok(Some(body)),
            Content::Incomplete | Content::Whole(_) => Err(Refusal::BadRequest),
        }
    }

    /// Notes that the request waits. If it does not wait for its body, it needs a working permit. Returns whether it has one, or needs
    /// none.
    ///
    /// # Errors
    /// [`Ended::Refused`] when the share of the principal or the tenant is exceeded.
    pub(super) fn work(&self, lane: impl FnOnce() -> WorkLane) -> Result<bool, Ended> {
        let mut state = self.lock();
        let begins = match &state.phase {
            Phase::Receiving => return Ok(false),
            Phase::Started => true,
            Phase::Working(working) => !working.is_of_principal,
        };
        if begins {
            let lane = lane();
            if matches!(state.phase, Phase::Started) || lane.is_of_principal {
                // The permit of the unknown principal goes back first.
                state.phase = Phase::Started;
                let working = self.permits.begin_work(lane, self.has_body);
                state.phase = Phase::Working(working.ok_or(Ended::Refused)?);
            }
        }
        Ok(true)
    }

    /// Handles the rest of the body after the response is known. Returns whether the connection must be closed: when the rest is
    /// too long or of unknown length, or when the client waits for `100 Continue` and may never send it.
    pub(super) fn settle(&self, headers: &HeaderMap) -> bool {
        if !self.has_body {
            return false;
        }
        match std::mem::replace(&mut self.lock().content, Content::Incomplete) {
            Content::Whole(_) => false,
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

/// Reads all available pieces. It tells `grow` each time how much more memory the body takes.
fn poll_received(
    body: &mut Unread,
    received: &mut Vec<u8>,
    max_bytes: usize,
    cx: &mut Context<'_>,
    grow: &mut impl FnMut(usize) -> Result<(), Refusal>,
) -> Poll<Result<(), Refusal>> {
    while !body.is_end_stream() {
        let Some(frame) = ready!(Pin::new(&mut *body).poll_frame(cx)) else { break };
        // A client that breaks off reads no response.
        let frame = frame.map_err(|_| Refusal::BadRequest)?;
        if let Ok(data) = frame.into_data() {
            let before = received.capacity();
            append(received, &data, max_bytes)?;
            grow(received.capacity() - before)?;
        }
    }
    Poll::Ready(Ok(()))
}

/// Doubles the capacity when more is needed, but never beyond the limit.
fn append(received: &mut Vec<u8>, data: &[u8], max_bytes: usize) -> Result<(), Refusal> {
    let length = received.len() + data.len();
    if length > max_bytes {
        return Err(Refusal::PayloadTooLarge);
    }
    if length > received.capacity() {
        received.reserve_exact((2 * length).min(max_bytes) - received.len());
    }
    received.extend_from_slice(data);
    Ok(())
}

async fn dropped(mut body: Unread) {
    while let Some(Ok(_)) = body.frame().await {}
}

#[cfg(test)]
mod tests {
    use hyper::body::Frame;

    use super::*;
    use crate::kernel::limits::HttpLimits;

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

    fn received(pieces: &[&str], max_bytes: usize) -> Result<Vec<u8>, Refusal> {
        let mut received = Vec::new();
        pieces.iter().try_for_each(|piece| append(&mut received, piece.as_bytes(), max_bytes))?;
        Ok(received)
    }

    #[test]
    fn pieces_are_joined_in_their_order() {
        for pieces in [&[][..], &["abc"], &["a", "", "bc", "d"]] {
            assert_eq!(received(pieces, 4).unwrap(), pieces.concat().into_bytes());
        }
    }

    #[test]
    fn a_body_ends_at_its_limit() {
        assert!(received(&["ab", "c"], 3).is_ok());
        assert!(matches!(received(&["ab", "cd"], 3), Err(Refusal::PayloadTooLarge)));
    }

    #[test]
    fn no_more_room_is_made_than_may_come() {
        for (max_bytes, room) in [(4, 4), (7, 6), (1 << 20, 6)] {
            assert_eq!(received(&["abc", "d"], max_bytes).unwrap().capacity(), room);
        }
    }

    #[tokio::test]
    async fn a_body_that_was_not_read_to_its_end_stays_so() {
        let permits = Permits::new(&HttpLimits::default());
        let body = RequestBody::new(&permits, Broken);
        for attempt in 0..3 {
            let received = body.receive(|| unreachable!("it is broken")).await;
            assert!(matches!(received, Err(Refusal::BadRequest)), "{attempt}");
        }
        assert!(body.settle(&HeaderMap::new()), "the connection cannot be used again");
    }
}
