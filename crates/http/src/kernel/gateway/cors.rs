//! Cross-origin requests of browsers, as each tenant's setting allows them, always without credentials: tokens are in a header
//! and not in a cookie.

use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS,
    ACCESS_CONTROL_REQUEST_METHOD, ORIGIN, VARY,
};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use pointbook_domain::CorsPolicy;

use crate::kernel::response::Response;

const ANY_ORIGIN: HeaderValue = HeaderValue::from_static("*");
const ALLOWED_METHODS: HeaderValue = HeaderValue::from_static("GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
/// The allowed headers when the request names none. A `*` would not include `Authorization`.
const USUAL_HEADERS: HeaderValue = HeaderValue::from_static(
    "Accept, Accept-Language, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id",
);
/// The longest list of headers that the response repeats, in bytes.
const MAX_REQUESTED_HEADERS_BYTES: usize = 1_024;
/// The headers that scripts may read besides the default ones.
const EXPOSED_HEADERS: HeaderValue = HeaderValue::from_static(
    "ETag, Error-Code, Idempotency-Replayed, Retry-After, Warning, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id",
);
/// How long browsers keep a preflight response; no browser keeps it longer.
const MAX_AGE_SECONDS: u32 = 7_200;

/// The CORS headers of one response.
#[derive(Default)]
pub(super) struct Cors {
    pub(super) is_on: bool,
    allow_origin: Option<HeaderValue>,
    varies: bool,
    exposes: bool,
}

impl Cors {
    pub(super) fn new(policy: &CorsPolicy, headers: &HeaderMap) -> Self {
        let origin = headers.get(ORIGIN);
        let (allow_origin, varies) = match policy {
            CorsPolicy::Off => return Self::default(),
            CorsPolicy::AnyOrigin => (Some(ANY_ORIGIN), false),
            CorsPolicy::Origins(listed) => {
                let listed = |origin: &&HeaderValue| listed.iter().any(|one| is(origin.as_bytes(), one));
                (origin.filter(listed).cloned(), true)
            }
        };
        Self { is_on: true, exposes: origin.is_some() && allow_origin.is_some(), allow_origin, varies }
    }

    pub(super) fn write_headers(&self, headers: &mut HeaderMap) {
        if let Some(origin) = &self.allow_origin {
            headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        }
        if self.exposes {
            headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED_HEADERS);
        }
        if self.varies {
            headers.append(VARY, HeaderValue::from_static("Origin"));
        }
    }
}

/// Whether an origin is listed. `:*` at the end of a listed origin matches any port.
fn is(origin: &[u8], listed: &str) -> bool {
    let Some(host) = listed.strip_suffix(":*") else { return origin == listed.as_bytes() };
    match origin.strip_prefix(host.as_bytes()) {
        Some([]) => true,
        Some([b':', port @ ..]) => !port.is_empty() && port.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

/// Whether the request is a preflight.
pub(super) fn is_preflight(method: &Method, headers: &HeaderMap) -> bool {
    *method == Method::OPTIONS
        && headers.contains_key(ORIGIN)
        && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

/// The response to a preflight. Without `Access-Control-Allow-Origin`, an origin knows that it may not read responses. All
/// requested headers are allowed: none of them is a cookie, so tracing headers and the like do no harm.
pub(super) fn preflight(request: &HeaderMap) -> Response {
    let mut response = Response::empty(StatusCode::NO_CONTENT);
    let headers = &mut response.headers;
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, ALLOWED_METHODS);
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, requested_headers(request));
    headers.insert(VARY, HeaderValue::from_static("Access-Control-Request-Headers"));
    headers.insert(ACCESS_CONTROL_MAX_AGE, MAX_AGE_SECONDS.into());
    response
}

fn requested_headers(request: &HeaderMap) -> HeaderValue {
    let requested = request.get(ACCESS_CONTROL_REQUEST_HEADERS);
    let short = requested.filter(|names| (1..=MAX_REQUESTED_HEADERS_BYTES).contains(&names.len()));
    short.cloned().unwrap_or(USUAL_HEADERS)
}

#[cfg(test)]
mod tests {
    use super::is;

    #[test]
    fn a_star_stands_for_a_port_and_nothing_else() {
        for origin in ["http://localhost", "http://localhost:3000"] {
            assert!(is(origin.as_bytes(), "http://localhost:*"), "{origin}");
        }
        for origin in
            ["http://localhost:", "http://localhost.evil", "http://localhost:1.evil", "https://localhost:1"]
        {
            assert!(!is(origin.as_bytes(), "http://localhost:*"), "{origin}");
        }
        assert!(
            is(b"https://a.example", "https://a.example") && !is(b"https://a.example:1", "https://a.example")
        );
    }
}
