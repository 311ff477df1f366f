//! All errors of the API: a test causes each variant over a socket and compares the response
//! byte by byte, with all headers.

mod writes;

use std::sync::Arc;

use http::Method;
use pointbook_domain::json::JsonProblem;
use pointbook_domain::{Feed, Scope, Scopes};
use pointbook_http::ApiError;
use pointbook_http::error::{Conflict, Expected, FieldErrors, RateLimit};
use pointbook_http::kernel::HttpLimits;
use pointbook_store::StoreError;
use pointbook_testkit::{Fault, FaultyDatabase};
use writes::{of_bodies, of_writes, take_key};

use crate::harness::{TestServer, base_path, patient_limits};

/// The number of variants.
const PLACES: usize = 24;

/// The index of an error. A new variant does not compile without one, and the test fails without
/// a case for it.
fn place(error: &ApiError) -> usize {
    match error {
        ApiError::BadRequest => 0,
        ApiError::Unauthenticated => 1,
        ApiError::NotFound => 2,
        ApiError::ProductNotFound => 3,
        ApiError::MethodNotAllowed { .. } => 4,
        ApiError::PayloadTooLarge => 5,
        ApiError::UriTooLong => 6,
        ApiError::Invalid(_) => 7,
        ApiError::TooManyRequests(_) => 8,
        ApiError::Internal => 9,
        ApiError::Unavailable => 10,
        ApiError::Forbidden => 11,
        ApiError::Conflict(_) => 12,
        ApiError::UnsupportedMediaType(_) => 13,
        ApiError::RequestTimeout => 14,
        ApiError::PreconditionFailed => 15,
        ApiError::MalformedJson(_) => 16,
        ApiError::UnknownBaseUrl => 17,
        ApiError::UnknownRoute => 18,
        ApiError::InvalidHost => 19,
        ApiError::MissingScope(_) => 20,
        ApiError::ForeignAddress => 21,
        ApiError::CursorGone(_) => 22,
        ApiError::Store(_) => PLACES - 1,
    }
}

/// An error, the request that causes it, and the expected response.
struct Case<'s> {
    error: ApiError,
    server: &'s TestServer,
    request: String,
    status: &'static str,
    /// The headers that not every error has, sorted.
    headers: &'static [&'static str],
    /// The value of `Error-Code`.
    code: &'static str,
    body: &'static str,
}

const LIST: &str = "/v1/store/products";
const ISSUE: &str = "/v1/auth/token";

/// The listener refuses the request before it looks for a tenant.
const BARE: &[&str] = &[];
/// The request has a tenant, so CORS allows its pages to read the response.
const OF_TENANT: &[&str] = &["access-control-allow-origin: *"];
const SOON: &[&str] = &["access-control-allow-origin: *", "retry-after: 1"];

/// A request of this user for a path below the base path.
fn request(server: &TestServer, method: &str, path: &str, more: &str) -> String {
    let token = server.token();
    format!(
        "{method} {}{path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n{more}\r\n",
        base_path()
    )
}

async fn with_fault(fault: Fault) -> TestServer {
    TestServer::start_on(move |database| Arc::new(FaultyDatabase::new(database, fault))).await
}

impl Case<'_> {
    /// Sends the request and compares everything but the date and the request id.
    async fn check(&self) {
        let answer = self.server.raw(self.request.as_bytes()).await;
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let mut lines = head.split("\r\n");
        assert_eq!(lines.next(), Some(&*format!("HTTP/1.1 {}", self.status)), "{answer}");
        let is_asked = |line: &&str| !line.starts_with("date: ") && !line.starts_with("x-request-id: ");
        let mut found: Vec<&str> = lines.filter(is_asked).collect();
        found.sort_unstable();
        let length = format!("content-length: {}", self.body.len());
        let code = format!("error-code: {}", self.code);
        let mut expected = vec![
            "cache-control: no-cache, private",
            "connection: close",
            "content-type: application/json",
            "x-content-type-options: nosniff",
        ];
        expected.extend([&*length, &*code]);
        expected.extend(self.headers);
        expected.sort_unstable();
        assert_eq!((found, body), (expected, self.body), "{}", self.request);
        assert!(self.status.starts_with(self.error.status().as_str()));
    }
}

#[tokio::test]
async fn every_error_of_the_table() {
    let (plain, limited) = (TestServer::with_sample().await, TestServer::start().await);
    let soon = HttpLimits { body_read_timeout_ms: 20, ..patient_limits() };
    let slow = TestServer::start_with(soon, |database| database).await;
    limited.set("rate_limit_reads_per_minute", "1").await;
    assert_eq!(limited.get("/v1/store/products").await.status, 200);
    let mut cases = of_requests(&plain);
    cases.extend(of_addresses(&plain));
    cases.extend(of_operations(&plain));
    cases.extend(of_bodies(&plain, &slow));
    cases.extend(of_callers(&plain, &limited));
    cases.extend(of_keys(&plain).await);
    cases.push(of_cursors(&plain).await);
    let back_office = plain.issue_super_user().await;
    take_key(&plain, &back_office).await;
    cases.extend(of_writes(&plain, &back_office));
    let [panics, fails, away, hangs] =
        [Fault::Panic, Fault::Fail, Fault::Unavailable, Fault::Hang].map(with_fault);
    let (panics, fails, away, hangs) = (panics.await, fails.await, away.await, hangs.await);
    cases.extend(of_failures(&panics, &fails, &away, &hangs));
    let mut walked = [false; PLACES];
    for case in cases {
        case.check().await;
        walked[place(&case.error)] = true;
    }
    assert_eq!(walked, [true; PLACES]);
}

/// A request without a Host header.
fn without_host(plain: &TestServer) -> Case<'_> {
    Case {
        error: ApiError::InvalidHost,
        server: plain,
        request: "GET / HTTP/1.1\r\nConnection: close\r\n\r\n".to_owned(),
        status: "400 Bad Request",
        headers: BARE,
        code: "invalid_host",
        body: r#"{"message":"Bad request."}"#,
    }
}

/// Errors of the request itself.
fn of_requests(plain: &TestServer) -> Vec<Case<'_>> {
    let long_uri = format!("{LIST}?{}", "x".repeat(8_192));
    let long_body = "Content-Length: 1048577\r\n";
    vec![
        without_host(plain),
        Case {
            error: ApiError::PayloadTooLarge,
            server: plain,
            request: request(plain, "POST", LIST, long_body),
            status: "413 Payload Too Large",
            headers: OF_TENANT,
            code: "payload_too_large",
            body: r#"{"message":"Payload too large."}"#,
        },
        Case {
            error: ApiError::UriTooLong,
            server: plain,
            request: request(plain, "GET", &long_uri, ""),
            status: "414 URI Too Long",
            headers: OF_TENANT,
            code: "uri_too_long",
            body: r#"{"message":"URI too long."}"#,
        },
    ]
}

/// Errors of unknown paths and methods.
fn of_addresses(plain: &TestServer) -> Vec<Case<'_>> {
    vec![
        Case {
            error: ApiError::UnknownBaseUrl,
            server: plain,
            request: "GET /stranger/api/v1/user HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".to_owned(),
            status: "404 Not Found",
            headers: BARE,
            code: "unknown_base_url",
            body: r#"{"message":"Not found."}"#,
        },
        Case {
            error: ApiError::UnknownRoute,
            server: plain,
            request: request(plain, "GET", "/v1/nothing", ""),
            status: "404 Not Found",
            headers: OF_TENANT,
            code: "unknown_route",
            body: r#"{"message":"Not found."}"#,
        },
        Case {
            error: ApiError::NotFound,
            server: plain,
            request: request(plain, "GET", "/v1/store/orders/nothing", ""),
            status: "404 Not Found",
            headers: OF_TENANT,
            code: "not_found",
            body: r#"{"message":"Not found.","code":"not_found"}"#,
        },
    ]
}

/// Errors of an operation or its path.
fn of_operations(plain: &TestServer) -> Vec<Case<'_>> {
    vec![
        Case {
            error: ApiError::MethodNotAllowed { method: Method::POST, allowed: "GET, HEAD".into() },
            server: plain,
            request: request(plain, "POST", LIST, ""),
            status: "405 Method Not Allowed",
            headers: &["access-control-allow-origin: *", "allow: GET, HEAD"],
            code: "method_not_allowed",
            body: r#"{"message":"The POST method is not supported for this route. Supported methods: GET, HEAD."}"#,
        },
        Case {
            error: ApiError::ProductNotFound,
            server: plain,
            request: request(plain, "GET", "/v1/store/products/nothing", ""),
            status: "404 Not Found",
            headers: OF_TENANT,
            code: "product_not_found",
            body: r#"{"success":false,"message":"Product not found"}"#,
        },
        Case {
            error: ApiError::Invalid(FieldErrors::default()),
            server: plain,
            request: request(plain, "GET", "/v1/store/products?filter[minPrice]=a&sort=b", ""),
            status: "422 Unprocessable Entity",
            headers: OF_TENANT,
            code: "invalid",
            body: r#"{"message":"The given data was invalid.","errors":{"filter.minPrice":["The filter.min price must be an integer."],"sort":["The selected sort is invalid."]}}"#,
        },
    ]
}

/// Errors of authentication and rate limits.
fn of_callers<'s>(plain: &'s TestServer, limited: &'s TestServer) -> Vec<Case<'s>> {
    let rate = RateLimit { limit: 1, remaining: 0, retry_after_seconds: 60, reset_at: 1_772_366_460 };
    let without_token = format!("GET {}{LIST} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", base_path());
    vec![
        Case {
            error: ApiError::Unauthenticated,
            server: plain,
            request: without_token,
            status: "401 Unauthorized",
            headers: &["access-control-allow-origin: *", "www-authenticate: Bearer"],
            code: "unauthenticated",
            body: r#"{"message":"Unauthenticated."}"#,
        },
        Case {
            error: ApiError::TooManyRequests(rate),
            server: limited,
            request: request(limited, "GET", LIST, ""),
            status: "429 Too Many Requests",
            headers: &[
                "access-control-allow-origin: *",
                "retry-after: 60",
                "x-ratelimit-limit: 1",
                "x-ratelimit-remaining: 0",
                "x-ratelimit-reset: 1772366460",
            ],
            code: "rate_limited",
            body: r#"{"message":"Too Many Attempts."}"#,
        },
    ]
}

/// A cursor of another generation.
async fn of_cursors(plain: &TestServer) -> Case<'_> {
    let key = plain.issue_key(Scopes::new([Scope::EventsRead]).unwrap(), "").await;
    Case {
        error: ApiError::CursorGone(Feed::EMPTY),
        server: plain,
        request: format!(
            "GET {}/v1/manage/events?after=9-9 HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {key}\r\n\r\n",
            base_path()
        ),
        status: "410 Gone",
        headers: OF_TENANT,
        code: "cursor_gone",
        body: r#"{"message":"The events after this cursor are gone: begin at earliest, after an export.","code":"cursor_gone","earliest":"1-0"}"#,
    }
}

/// Keys without the scope, or from a wrong address.
async fn of_keys(plain: &TestServer) -> Vec<Case<'_>> {
    let [reads, writes] = [Scope::OrdersRead, Scope::OrdersWrite].map(|scope| Scopes::new([scope]).unwrap());
    let cases = [
        (
            ApiError::MissingScope(Scope::OrdersRead),
            plain.issue_key(writes, "").await,
            "missing_scope",
            r#"{"message":"This action is unauthorized.","code":"missing_scope","scope":"orders:read"}"#,
        ),
        (
            ApiError::ForeignAddress,
            plain.issue_key(reads, "192.0.2.0/24").await,
            "address_not_allowed",
            r#"{"message":"This action is unauthorized.","code":"address_not_allowed"}"#,
        ),
    ];
    let case = |(error, key, code, body)| Case {
        error,
        server: plain,
        request: format!(
            "GET {}/v1/manage/orders HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {key}\r\n\r\n",
            base_path()
        ),
        status: "403 Forbidden",
        headers: OF_TENANT,
        code,
        body,
    };
    cases.into_iter().map(case).collect()
}

/// Errors of the server.
fn of_failures<'s>(
    panics: &'s TestServer,
    fails: &'s TestServer,
    away: &'s TestServer,
    hangs: &'s TestServer,
) -> Vec<Case<'s>> {
    let internal = ("500 Internal Server Error", OF_TENANT, "server_error", r#"{"message":"Server Error."}"#);
    let unavailable =
        ("503 Service Unavailable", SOON, "unavailable", r#"{"message":"Service Unavailable"}"#);
    let cases = [
        (panics, ApiError::Internal, internal),
        (fails, ApiError::Store(StoreError::Failed("a cause".into())), internal),
        (away, ApiError::Store(StoreError::Unavailable("a cause".into())), unavailable),
        (hangs, ApiError::Unavailable, unavailable),
    ];
    let case = |(server, error, (status, headers, code, body))| {
        let request = request(server, "GET", "/v1/user/point-history", "");
        Case { error, server, request, status, headers, code, body }
    };
    cases.into_iter().map(case).collect()
}
