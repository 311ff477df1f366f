//! The HTML pages of the server, which belong to no tenant: the page at `/` for browsers.

mod home;

use bytes::Bytes;
use http::header::{ACCEPT, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, VARY};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use pointbook_http_kernel::{Answering, PageRequest, Pages, Response};

pub use home::{DemoPage, DemoPerson, Home};

const STYLE: &[u8] = include_bytes!("../page/home.css");
const ICON: &[u8] = include_bytes!("../page/favicon.ico");

/// The pages load nothing from other origins, run no script and send no form.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);
const DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");

/// The pages of this server.
#[derive(Debug, Clone)]
pub struct Web {
    home: Bytes,
}

impl Web {
    pub fn new(home: &Home) -> Self {
        Self { home: home.render().into() }
    }

    fn find(&self, request: &PageRequest<'_>) -> Option<Response> {
        if !matches!(*request.method, Method::GET | Method::HEAD) {
            return None;
        }
        match request.uri.path() {
            // A program that requests `/` has a wrong base URL, and gets the error that says so.
            "/" => accepts_html(request.headers).then(|| page(self.home.clone())),
            "/pointbook.css" => Some(file(STYLE, "text/css; charset=utf-8")),
            "/favicon.ico" => Some(file(ICON, "image/x-icon")),
            _ => None,
        }
    }
}

impl Pages for Web {
    fn answer<'r>(&'r self, request: PageRequest<'r>) -> Option<Answering<'r>> {
        let response = self.find(&request)?;
        Some(Box::pin(std::future::ready(response)))
    }
}

/// Browsers accept `text/html`. Programs mostly accept `*/*` or JSON.
fn accepts_html(headers: &HeaderMap) -> bool {
    headers
        .get_all(ACCEPT)
        .iter()
        .any(|accept| accept.to_str().is_ok_and(|kinds| kinds.contains("text/html")))
}

fn page(html: Bytes) -> Response {
    let mut response = of_kind(html, "text/html; charset=utf-8");
    response.headers.insert(CONTENT_SECURITY_POLICY, POLICY);
    response.headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response.headers.insert(VARY, HeaderValue::from_static("Accept"));
    response
}

fn file(bytes: &'static [u8], kind: &'static str) -> Response {
    let mut response = of_kind(Bytes::from_static(bytes), kind);
    response.headers.insert(CACHE_CONTROL, DAY);
    response
}

fn of_kind(body: Bytes, kind: &'static str) -> Response {
    let mut response = Response::empty(StatusCode::OK);
    response.body = body;
    response.headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_clients_that_name_html_are_browsers() {
        let accepts = |value: &'static str| {
            accepts_html(&HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static(value))]))
        };
        assert!(accepts("text/html,application/xhtml+xml,*/*;q=0.8"));
        assert!(!accepts("*/*"));
        assert!(!accepts("application/json"));
        assert!(!accepts_html(&HeaderMap::new()));
    }
}
