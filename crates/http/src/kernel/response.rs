//! Making responses.

use std::error::Error;
use std::sync::Arc;

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, VARY, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderMap, HeaderValue, StatusCode};
use http_body_util::Full;

use crate::kernel::tag::Tag;

const JSON: HeaderValue = HeaderValue::from_static("application/json");
/// Shared caches must not keep it, and clients must revalidate it.
const PRIVATE: HeaderValue = HeaderValue::from_static("no-cache, private");
/// Browsers must not guess another content type.
const NOSNIFF: HeaderValue = HeaderValue::from_static("nosniff");
const BY_ENCODING: HeaderValue = HeaderValue::from_static("Accept-Encoding");

/// Why the server cannot respond. Clients never see it.
pub type Failure = Arc<dyn Error + Send + Sync>;

/// A response for hyper.
pub(crate) type Sent = http::Response<Full<Bytes>>;

#[derive(Debug)]
pub struct Response {
    pub status: StatusCode,
    /// The headers besides those that follow from other fields.
    pub headers: HeaderMap,
    pub body: Bytes,
    pub is_json: bool,
    /// The `ETag`. An operation gives one when more than the bytes of the body identify it.
    pub tag: Option<Tag>,
    /// Whether the `ETag` is weak, because the body has other bytes than the operation rendered.
    pub has_weak_tag: bool,
    /// Whether the body depends on the request headers.
    pub(crate) varies_by_encoding: bool,
    /// For the log: why the server cannot respond.
    pub failure: Option<Failure>,
}

impl Response {
    pub fn empty(status: StatusCode) -> Self {
        Self {
            status,
            headers: HeaderMap::new(),
            body: Bytes::new(),
            is_json: false,
            tag: None,
            has_weak_tag: false,
            varies_by_encoding: false,
            failure: None,
        }
    }

    pub fn tagged(tag: Tag, body: impl Into<Bytes>) -> Self {
        Self { tag: Some(tag), ..json(StatusCode::OK, body) }
    }

    /// A 304: the client has the response with this `ETag`.
    pub fn not_modified(tag: Tag) -> Self {
        Self { tag: Some(tag), ..Self::empty(StatusCode::NOT_MODIFIED) }
    }

    /// The response with its headers in an empty map, between which some more are written. It is private, unless the operation
    /// says otherwise.
    pub(crate) fn sent(self, mut headers: HeaderMap, write_more: impl FnOnce(&mut HeaderMap)) -> Sent {
        headers.insert(X_CONTENT_TYPE_OPTIONS, NOSNIFF);
        headers.insert(CACHE_CONTROL, PRIVATE);
        if self.is_json {
            headers.insert(CONTENT_TYPE, JSON);
        }
        if !self.headers.is_empty() {
            headers.extend(self.headers);
        }
        write_more(&mut headers);
        if self.varies_by_encoding {
            headers.append(VARY, BY_ENCODING);
        }
        if let Some(tag) = self.tag {
            headers.insert(ETAG, tag.header(self.has_weak_tag));
        }
        let mut response = http::Response::new(Full::new(self.body));
        (*response.status_mut(), *response.headers_mut()) = (self.status, headers);
        response
    }
}

pub fn json(status: StatusCode, body: impl Into<Bytes>) -> Response {
    Response { body: body.into(), is_json: true, ..Response::empty(status) }
}
