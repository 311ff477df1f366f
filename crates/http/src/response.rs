//! Making JSON responses.

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, StatusCode};

/// Room for what an answer gets on its way out too, so that its headers are laid out once.
const HEADERS: usize = 12;

/// A response with this JSON as its body.
pub fn json(status: StatusCode, body: impl Into<Bytes>) -> Response {
    let mut response = Response::new(Body::from(body.into()));
    *response.status_mut() = status;
    *response.headers_mut() = HeaderMap::with_capacity(HEADERS);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
