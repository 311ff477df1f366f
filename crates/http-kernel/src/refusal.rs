//! Why the gateway refuses a request.

use std::borrow::Cow;

use http::Method;

/// A reason that has nothing to do with what the request asks for. The room above has the status and the words of each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The body breaks off, or its chunks are malformed.
    BadRequest,
    /// The `Host` header is missing, invalid, or repeated.
    InvalidHost,
    /// No tenant has this base URL, and no page has this path.
    UnknownBaseUrl,
    /// Nothing has this path on a listener without tenants.
    NotFound,
    /// The path has other methods.
    MethodNotAllowed {
        /// The method of the request.
        method: Method,
        /// The methods of the path, as `Allow` lists them.
        allowed: Cow<'static, str>,
    },
    /// The body did not arrive in time.
    RequestTimeout,
    /// The body is longer than the limit.
    PayloadTooLarge,
    /// The URI is longer than the limit.
    UriTooLong,
    /// The operation panicked.
    Internal,
    /// A bound was reached, or the operation took too long.
    Unavailable,
}
