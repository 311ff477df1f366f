//! Which status hyper sent to a client whose bytes it could not read as a request.

use http::StatusCode;

/// The text of the error behind a 414: hyper has a method that tells errors of size from others, but none that
/// tells a long URI from a long head.
const URI_TOO_LONG: &str = "URI too long";

/// The status of the response without a body that hyper sent before the connection ended with this error. `None`
/// when it sent no such response.
pub(super) fn refused_with(error: &hyper::Error) -> Option<StatusCode> {
    // hyper closes the connection of a client that speaks HTTP/2, and sends nothing.
    if !error.is_parse() || error.is_parse_version_h2() {
        return None;
    }
    Some(if !error.is_parse_too_large() {
        StatusCode::BAD_REQUEST
    } else if error.to_string() == URI_TOO_LONG {
        StatusCode::URI_TOO_LONG
    } else {
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE
    })
}
