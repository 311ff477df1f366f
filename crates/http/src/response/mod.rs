//! Making responses.

mod payload;
mod tag;

use std::sync::Arc;

use http::header::{CONTENT_TYPE, ETAG};
use http::{HeaderMap, HeaderValue, StatusCode};
use pointbook_app::StoreError;

pub use payload::Payload;
pub use tag::Tag;

/// Room for what an answer gets on its way out too, so that its headers are laid out once.
const HEADERS: usize = 12;

/// An answer on its way out.
#[derive(Debug)]
pub struct Response {
    /// The status.
    pub status: StatusCode,
    /// The headers so far.
    pub headers: HeaderMap,
    /// The body.
    pub body: Payload,
    /// The tag of a body that is known by more than its bytes.
    pub(crate) tag: Option<Tag>,
    /// For the log: what the store said, when that is why the answer is none.
    pub(crate) failure: Option<Arc<StoreError>>,
}

impl Response {
    /// A response without a body.
    pub fn empty(status: StatusCode) -> Self {
        let headers = HeaderMap::with_capacity(HEADERS);
        Self { status, headers, body: Payload::default(), tag: None, failure: None }
    }

    /// A 200 with JSON of this tag.
    pub fn tagged(tag: Tag, body: impl Into<Payload>) -> Self {
        Self { tag: Some(tag), ..json(StatusCode::OK, body) }
    }

    /// A 304: the client has the answer with this tag.
    pub fn not_modified(tag: Tag) -> Self {
        let mut response = Self::empty(StatusCode::NOT_MODIFIED);
        response.headers.insert(ETAG, tag.header());
        response
    }

    /// As hyper takes it.
    pub(crate) fn sent(self) -> http::Response<Payload> {
        let mut response = http::Response::new(self.body);
        (*response.status_mut(), *response.headers_mut()) = (self.status, self.headers);
        response
    }
}

/// A response with this JSON as its body.
pub fn json(status: StatusCode, body: impl Into<Payload>) -> Response {
    let mut response = Response { body: body.into(), ..Response::empty(status) };
    response.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
