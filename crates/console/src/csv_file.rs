//! Files for spreadsheets.

use http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderValue, StatusCode};
use pointbook_http_kernel::Response;

/// A response that browsers save as a file with this name, which needs no quotes.
pub(crate) fn csv_file(name: &str, lines: Vec<u8>) -> Response {
    let mut response = Response::empty(StatusCode::OK);
    response.body = lines.into();
    let headers = &mut response.headers;
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if let Ok(value) = HeaderValue::try_from(format!("attachment; filename=\"{name}\"")) {
        headers.insert(CONTENT_DISPOSITION, value);
    }
    response
}
