//! The files inside the binary that pages load.

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderValue, StatusCode};
use pointbook_http::kernel::Response;

/// A file: its path, its bytes, and its media type.
type Asset = (&'static str, &'static [u8], &'static str);

const ASSETS: [Asset; 4] = [
    ("/tokens.css", include_bytes!("../assets/tokens.css"), "text/css; charset=utf-8"),
    ("/pointbook.css", include_bytes!("../assets/pointbook.css"), "text/css; charset=utf-8"),
    ("/pointbook.js", include_bytes!("../assets/pointbook.js"), "text/javascript; charset=utf-8"),
    ("/favicon.ico", include_bytes!("../assets/favicon.ico"), "image/x-icon"),
];

/// A browser asks again after an hour, so that a new version of the server is soon seen whole.
const HOUR: HeaderValue = HeaderValue::from_static("public, max-age=3600");

/// The file at this path.
pub(crate) fn find(path: &str) -> Option<Response> {
    let (_, bytes, media_type) = ASSETS.iter().find(|(known, ..)| *known == path)?;
    Some(file(Bytes::from_static(bytes), media_type))
}

pub(crate) fn file(bytes: Bytes, media_type: &'static str) -> Response {
    let mut response = Response::empty(StatusCode::OK);
    response.body = bytes;
    response.headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    response.headers.insert(CACHE_CONTROL, HOUR);
    response
}
