//! `/openapi.json`, at the root of the listener and without a token: the description is the same for every tenant.

use std::sync::LazyLock;

use http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL};
use http::{HeaderMap, HeaderValue, Method};

use super::conditional::is_known;
use crate::ApiError;
use crate::openapi::document;
use crate::response::{Response, Tag};

const ALLOWED: &str = "GET, HEAD";
/// Keep it, but ask: the next version of the server has another one.
const ASK: HeaderValue = HeaderValue::from_static("no-cache");
/// Tools in browsers read it too.
const ANY_ORIGIN: HeaderValue = HeaderValue::from_static("*");

/// Whether this is its path.
pub(super) fn is_at(path: &str) -> bool {
    path == "/openapi.json"
}

/// The description, or that the client has it.
pub(super) fn answer(method: &Method, headers: &HeaderMap) -> Response {
    static TAG: LazyLock<Tag> = LazyLock::new(|| Tag::of(&document()));
    if !matches!(*method, Method::GET | Method::HEAD) {
        return ApiError::MethodNotAllowed { method: method.clone(), allowed: ALLOWED.into() }
            .into_response();
    }
    let mut response = if is_known(*TAG, headers) {
        Response::not_modified(*TAG)
    } else {
        Response::tagged(*TAG, document())
    };
    response.headers.insert(CACHE_CONTROL, ASK);
    response.headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, ANY_ORIGIN);
    response
}
