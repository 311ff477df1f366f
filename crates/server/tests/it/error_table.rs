//! The whole table of errors in one walk: each variant asked for over a socket, and its answer
//! compared to the byte, all headers included.

use std::sync::Arc;

use http::Method;
use pointbook_app::StoreError;
use pointbook_http::ApiError;
use pointbook_http::error::{FieldErrors, RateLimit};
use pointbook_testkit::{Fault, FaultyDatabase};

use crate::harness::{TestServer, base_path};

/// How many places the table has.
const PLACES: usize = 13;

/// The place of an error in the table. A new variant does not compile before it has one, and then
/// the walk misses it until there is a case for it.
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
        ApiError::HeadersTooLarge => 9,
        ApiError::Internal => 10,
        ApiError::Unavailable => 11,
        ApiError::Store(_) => PLACES - 1,
    }
}

/// One error, how to get it, and what comes then.
struct Case<'s> {
    error: ApiError,
    server: &'s TestServer,
    request: String,
    status: &'static str,
    /// The headers beside those that every error has, sorted.
    headers: &'static [&'static str],
    body: &'static str,
}

/// Which headers an error has for sure.
const BARE: &[&str] = &[];
/// A tenant was found, so that its pages may read the answer.
const OF_TENANT: &[&str] = &["access-control-allow-origin: *"];
const SOON: &[&str] = &["access-control-allow-origin: *", "retry-after: 1"];

/// A request of this user's for a path below the base.
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
    /// Asks, and compares everything but the date and the request's id.
    async fn check(&self) {
        let answer = self.server.raw(self.request.as_bytes()).await;
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let mut lines = head.split("\r\n");
        assert_eq!(lines.next(), Some(&*format!("HTTP/1.1 {}", self.status)), "{answer}");
        let is_asked = |line: &&str| !line.starts_with("date: ") && !line.starts_with("x-request-id: ");
        let mut found: Vec<&str> = lines.filter(is_asked).collect();
        found.sort_unstable();
        let length = format!("content-length: {}", self.body.len());
        let mut expected =
            vec!["cache-control: no-cache, private", "connection: close", "content-type: application/json"];
        expected.push(&length);
        expected.extend(self.headers);
        expected.sort_unstable();
        assert_eq!((found, body), (expected, self.body), "{}", self.request);
        assert!(self.status.starts_with(self.error.status().as_str()));
    }
}

#[tokio::test]
async fn every_error_of_the_table() {
    let (plain, limited) = (TestServer::with_sample().await, TestServer::start().await);
    limited.set("rate_limit_per_minute", "1").await;
    assert_eq!(limited.get("/v1/store/products").await.status, 200);
    let mut cases = of_requests(&plain);
    cases.extend(of_callers(&plain, &limited));
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

/// What is wrong with the request itself.
fn of_requests(plain: &TestServer) -> Vec<Case<'_>> {
    let list = "/v1/store/products";
    let case =
        |error, request, status, headers, body| Case { error, server: plain, request, status, headers, body };
    let method_not_allowed = ApiError::MethodNotAllowed { method: Method::POST, allowed: "GET, HEAD" };
    let allow: &[&str] = &["access-control-allow-origin: *", "allow: GET, HEAD"];
    let long_uri = format!("{list}?{}", "x".repeat(8_192));
    vec![
        case(
            ApiError::BadRequest,
            "no request\r\n\r\n".to_owned(),
            "400 Bad Request",
            BARE,
            r#"{"message":"Bad request."}"#,
        ),
        case(
            ApiError::HeadersTooLarge,
            request(plain, "GET", list, &format!("X: {}\r\n", "x".repeat(40_000))),
            "431 Request Header Fields Too Large",
            BARE,
            r#"{"message":"Request header fields too large."}"#,
        ),
        case(
            ApiError::PayloadTooLarge,
            request(plain, "POST", list, "Content-Length: 1048577\r\n"),
            "413 Payload Too Large",
            OF_TENANT,
            r#"{"message":"Payload too large."}"#,
        ),
        case(
            ApiError::UriTooLong,
            request(plain, "GET", &long_uri, ""),
            "414 URI Too Long",
            OF_TENANT,
            r#"{"message":"URI too long."}"#,
        ),
        case(
            ApiError::NotFound,
            request(plain, "GET", "/v1/nothing", ""),
            "404 Not Found",
            OF_TENANT,
            r#"{"message":"Not found."}"#,
        ),
        case(
            method_not_allowed,
            request(plain, "POST", list, ""),
            "405 Method Not Allowed",
            allow,
            r#"{"message":"The POST method is not supported for this route. Supported methods: GET, HEAD."}"#,
        ),
    ]
}

/// What the caller may not, or what is not there.
fn of_callers<'s>(plain: &'s TestServer, limited: &'s TestServer) -> Vec<Case<'s>> {
    let rate = RateLimit { limit: 1, remaining: 0, retry_after_seconds: 60, reset_at: 1_772_366_460 };
    vec![
        Case {
            error: ApiError::Unauthenticated,
            server: plain,
            request: format!(
                "GET {}/v1/store/products HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                base_path()
            ),
            status: "401 Unauthorized",
            headers: &["access-control-allow-origin: *", "www-authenticate: Bearer"],
            body: r#"{"message":"Unauthenticated."}"#,
        },
        Case {
            error: ApiError::TooManyRequests(rate),
            server: limited,
            request: request(limited, "GET", "/v1/store/products", ""),
            status: "429 Too Many Requests",
            headers: &[
                "access-control-allow-origin: *",
                "retry-after: 60",
                "x-ratelimit-limit: 1",
                "x-ratelimit-remaining: 0",
                "x-ratelimit-reset: 1772366460",
            ],
            body: r#"{"message":"Too Many Attempts."}"#,
        },
        Case {
            error: ApiError::Invalid(FieldErrors::default()),
            server: plain,
            request: request(plain, "GET", "/v1/store/products?filter[minPrice]=a&sort=b", ""),
            status: "422 Unprocessable Entity",
            headers: OF_TENANT,
            body: r#"{"message":"The given data was invalid.","errors":{"filter.minPrice":["The filter.min price must be an integer."],"sort":["The selected sort is invalid."]}}"#,
        },
        Case {
            error: ApiError::ProductNotFound,
            server: plain,
            request: request(plain, "GET", "/v1/store/products/nothing", ""),
            status: "404 Not Found",
            headers: OF_TENANT,
            body: r#"{"success":false,"message":"Product not found"}"#,
        },
    ]
}

/// What is our fault.
fn of_failures<'s>(
    panics: &'s TestServer,
    fails: &'s TestServer,
    away: &'s TestServer,
    hangs: &'s TestServer,
) -> Vec<Case<'s>> {
    let internal = ("500 Internal Server Error", OF_TENANT, r#"{"message":"Server Error."}"#);
    let unavailable = ("503 Service Unavailable", SOON, r#"{"message":"Service Unavailable"}"#);
    let cases = [
        (panics, ApiError::Internal, internal),
        (fails, ApiError::Store(StoreError::Failed("a cause".into())), internal),
        (away, ApiError::Store(StoreError::Unavailable("a cause".into())), unavailable),
        (hangs, ApiError::Unavailable, unavailable),
    ];
    let case = |(server, error, (status, headers, body))| {
        let request = request(server, "GET", "/v1/user/point-history", "");
        Case { error, server, request, status, headers, body }
    };
    cases.into_iter().map(case).collect()
}
