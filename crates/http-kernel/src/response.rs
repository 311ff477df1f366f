//! Making responses.

use std::error::Error;
use std::sync::Arc;

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, VARY, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderMap, HeaderValue, StatusCode};
use http_body_util::Full;

use crate::tag::Tag;

const JSON: HeaderValue = HeaderValue::from_static("application/json");
/// No shared cache may keep it, and no client may use it again without asking.
const PRIVATE: HeaderValue = HeaderValue::from_static("no-cache, private");
/// Browsers take a body for what its type says.
const NOSNIFF: HeaderValue = HeaderValue::from_static("nosniff");
const BY_ENCODING: HeaderValue = HeaderValue::from_static("Accept-Encoding");

/// Why the server cannot answer. No client learns it.
pub type Failure = Arc<dyn Error + Send + Sync>;

/// A response as hyper sends it.
pub(crate) type Sent = http::Response<Full<Bytes>>;

#[derive(Debug)]
pub struct Response {
    pub status: StatusCode,
    /// The headers beside those that follow from all else.
    pub headers: HeaderMap,
    pub body: Bytes,
    pub is_json: bool,
    /// What is sent as `ETag`; the operation's, where a body is known by more than its bytes.
    pub tag: Option<Tag>,
    /// Whether the tag is of the content alone, since the body has other bytes than the operation gave it.
    pub has_weak_tag: bool,
    /// Whether the body depends on what the client accepts.
    pub(crate) varies_by_encoding: bool,
    /// For the log: why the server cannot answer.
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

    /// A 304: the client has the response with this tag.
    pub fn not_modified(tag: Tag) -> Self {
        Self { tag: Some(tag), ..Self::empty(StatusCode::NOT_MODIFIED) }
    }

    /// The response with its headers in an empty map, between which some more are written. It is private, unless the
    /// operation says something else.
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
