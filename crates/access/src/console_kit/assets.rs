//! The files that only pages of the console load.

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderValue, StatusCode};
use pointbook_http::kernel::Response;

pub const CONSOLE: &str = "/console.css";
pub const CHARTS: &str = "/charts.css";

const CSS: HeaderValue = HeaderValue::from_static("text/css; charset=utf-8");
/// A browser asks again after an hour, so that a new version of the server is soon seen whole.
const HOUR: HeaderValue = HeaderValue::from_static("public, max-age=3600");

/// The stylesheet at this path.
pub fn find(path: &str) -> Option<Response> {
    let text = match path {
        CONSOLE => include_str!("../../assets/console.css"),
        CHARTS => pointbook_http::charts::STYLE,
        _ => return None,
    };
    let mut response = Response::empty(StatusCode::OK);
    response.body = Bytes::from_static(text.as_bytes());
    response.headers.insert(CONTENT_TYPE, CSS);
    response.headers.insert(CACHE_CONTROL, HOUR);
    Some(response)
}
