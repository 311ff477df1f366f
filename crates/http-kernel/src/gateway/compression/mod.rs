//! `Accept-Encoding`: bodies of reads are sent compressed to those who ask for it.
//!
//! What is made from memory costs less than compressing it. The same answer is asked for by many, so it is compressed
//! when it is asked for again, and then kept; a history is one user's, costs more than its compression, and is
//! compressed each time, unless it is long and others are at work.

mod coder;
mod kept;
mod negotiate;

use std::sync::Arc;

use http::header::{CONTENT_ENCODING, ETAG};
use http::{HeaderMap, StatusCode};
use tokio::sync::Semaphore;

use self::kept::{KeptResponses, Key, Sighting};
use crate::gateway::conditional;
use crate::gateway::seen::Seen;
use crate::interface::Interface;
use crate::response::{Payload, Response, Tag};

use negotiate::Coding;

pub use negotiate::takes_gzip;

/// A shorter body is not worth it: most of what is sent then are headers.
const MIN_BYTES: usize = 1_024;
/// A longer one is compressed in the background: others are not to wait for it.
const MAX_BYTES_AT_ONCE: usize = 128 * 1_024;

/// So many long ones at once, each of which holds a copy of its body; further ones are sent as they are.
const MAX_LONG_ONES: usize = 2;

/// Compresses answers.
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
    /// What an answer to a read is sent as. It `has_known_tag` where the operation has made it from what many share.
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
            answer.has_weak_tag = is_known_as_weak(answer, &seen.headers);
            return;
        }
        if answer.headers.contains_key(ETAG) {
            // The tag is for `If-Match` too, so it stays strong.
            return;
        }
        let Some(coding) = Coding::wanted(&seen.headers) else { return };
        if answer.is_json && answer.body.len() >= MIN_BYTES {
            let compressed = match answer.tag.filter(|_| has_known_tag).zip(key(seen, coding)) {
                Some((tag, key)) => self.shared::<I>(answer, tag, key).await,
                None => self.compressed::<I>(answer.body.clone(), coding).await,
            };
            replace(answer, coding, compressed);
        }
    }

    /// The kept form of an answer, or one to keep when it was asked for before.
    async fn shared<I: Interface>(&self, answer: &Response, tag: Tag, key: Key) -> Option<Payload> {
        match self.kept.look(&key, tag) {
            Sighting::Kept(bytes) => Some(bytes.into()),
            Sighting::First => None,
            Sighting::Again => {
                let compressed = self.compressed::<I>(answer.body.clone(), key.coding).await?;
                self.kept.keep(key, tag, compressed.bytes());
                Some(compressed)
            }
        }
    }

    /// None where it fails, would be no shorter, or too much is at work: then the body goes out as it is.
    async fn compressed<I: Interface>(&self, body: Payload, coding: Coding) -> Option<Payload> {
        let length = body.len();
        let compressed = if length <= MAX_BYTES_AT_ONCE {
            coder::compress(&body.contiguous(), coding)
        } else {
            let permit = self.permits.clone().try_acquire_owned().ok()?;
            let work = move || {
                let _permit = permit;
                coder::compress(&body.contiguous(), coding)
            };
            I::in_background(work).await.flatten()
        };
        compressed.filter(|bytes| bytes.len() < length).map(Payload::from)
    }
}

/// None where the answer is no tenant's.
fn key<I: Interface>(seen: &Seen<'_, I>, coding: Coding) -> Option<Key> {
    let tenant = seen.tenant()?.id.clone();
    Some(Key { tenant, target: seen.uri.path_and_query()?.as_str().into(), coding })
}

/// The same content by other bytes has a weak tag.
fn replace(answer: &mut Response, coding: Coding, compressed: Option<Payload>) {
    let Some(body) = compressed else { return };
    answer.body = body;
    answer.has_weak_tag = true;
    answer.headers.insert(CONTENT_ENCODING, coding.header());
}

/// Whether what the client has was compressed. The tag of a 304 is the one that it has.
fn is_known_as_weak(answer: &Response, request: &HeaderMap) -> bool {
    answer.tag.is_some_and(|tag| conditional::is_known_as_weak(tag, request))
}
