//! `Accept-Encoding`: compresses the bodies of reads for clients that accept it.
//!
//! A response from memory costs less than its compression. Many clients request the same response, so the second request
//! compresses it and keeps it. A history belongs to one user and costs more than its compression, so it is compressed each time,
//! unless it is long and the server is busy. Styles and scripts are compressed each time, because browsers keep them for an hour.

mod coding;
mod kept;

use std::sync::Arc;

use bytes::Bytes;
use coding::Coding;
pub use coding::takes_gzip;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE, ETAG};
use http::{HeaderValue, StatusCode};
use kept::{KeptResponses, Key, LeaseState};
use tokio::sync::Semaphore;

use crate::kernel::gateway::seen::Seen;
use crate::kernel::tag::{Tag, is_known_as_weak};
use crate::kernel::{Interface, Response};

/// A shorter body is not worth it: its headers are longer.
const MIN_BYTES: usize = 1_024;
/// A longer body is compressed in the background, so that other requests do not wait.
const MAX_BYTES_AT_ONCE: usize = 128 * 1_024;

/// The most background compressions. Each holds a copy of its body. Beyond that, bodies are sent uncompressed.
const MAX_LONG_ONES: usize = 2;

pub(super) struct Compression {
    kept: KeptResponses,
    /// For long bodies.
    permits: Arc<Semaphore>,
}

impl Default for Compression {
    fn default() -> Self {
        Self { kept: KeptResponses::default(), permits: Arc::new(Semaphore::new(MAX_LONG_ONES)) }
    }
}

impl Compression {
    /// Compresses the response to a read, if that is worth it. `has_known_tag` says that the operation rendered it from shared
    /// memory.
    pub(super) async fn apply<I: Interface>(
        &self,
        answer: &mut Response,
        seen: &Seen<'_, I>,
        has_known_tag: bool,
    ) {
        if !matches!(answer.status, StatusCode::OK | StatusCode::NOT_MODIFIED) {
            return;
        }
        answer.varies_by_encoding = true;
        if answer.status == StatusCode::NOT_MODIFIED {
            // The `ETag` of a 304 is the one that the client has.
            answer.has_weak_tag = answer.tag.is_some_and(|tag| is_known_as_weak(tag, &seen.headers));
            return;
        }
        // An operation's own `ETag` is for `If-Match` too, so it stays strong.
        let may_be_short = answer.is_json || is_asset(answer);
        if !may_be_short || answer.body.len() < MIN_BYTES || answer.headers.contains_key(ETAG) {
            return;
        }
        let Some(coding) = Coding::wanted(&seen.headers) else { return };
        let compressed = match answer.tag.filter(|_| has_known_tag).zip(key(seen, coding)) {
            Some((tag, key)) => self.shared::<I>(answer, tag, key).await,
            None => self.compressed::<I>(answer.body.clone(), coding).await,
        };
        if let Some(body) = compressed {
            (answer.body, answer.has_weak_tag) = (body, true);
            answer.headers.insert(CONTENT_ENCODING, coding.header());
        }
    }

    /// The kept form of a response, or a form to keep when it was requested before.
    async fn shared<I: Interface>(&self, answer: &Response, tag: Tag, key: Key) -> Option<Bytes> {
        match self.kept.look(&key, tag) {
            LeaseState::Kept(bytes) => Some(bytes),
            LeaseState::First => None,
            LeaseState::Again => {
                let compressed = self.compressed::<I>(answer.body.clone(), key.coding).await?;
                self.kept.keep(key, tag, compressed.clone());
                Some(compressed)
            }
        }
    }

    /// `None` when it fails, is not shorter, or the server is busy. Then the body is sent uncompressed.
    async fn compressed<I: Interface>(&self, body: Bytes, coding: Coding) -> Option<Bytes> {
        let length = body.len();
        let compressed = if length <= MAX_BYTES_AT_ONCE {
            coding.compress(&body)
        } else {
            let permit = self.permits.clone().try_acquire_owned().ok()?;
            let work = move || {
                let _permit = permit;
                coding.compress(&body)
            };
            I::in_background(work).await.flatten()
        };
        compressed.filter(|bytes| bytes.len() < length).map(Bytes::from)
    }
}

/// Whether it is a style or a script, which is the same for all. Pages stay as they are: they hold the token of a form beside text of their
/// address, and their compressed length would tell strangers the token, bit by bit (BREACH).
fn is_asset(answer: &Response) -> bool {
    let kind = answer.headers.get(CONTENT_TYPE).map_or(&[][..], HeaderValue::as_bytes);
    kind.starts_with(b"text/css") || kind.starts_with(b"text/javascript")
}

fn key<I: Interface>(seen: &Seen<'_, I>, coding: Coding) -> Option<Key> {
    let tenant = seen.tenant()?.id.clone();
    Some(Key { tenant, target: seen.uri.path_and_query()?.as_str().into(), coding })
}
