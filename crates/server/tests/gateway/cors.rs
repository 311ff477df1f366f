//! What browsers of other origins may do, per tenant.

use crate::client::Answer;
use crate::server::Server;

const ORIGIN: &str = "Origin: https://shop.example";
const ASKS: &str = "Access-Control-Request-Method: GET";

async fn get(path: &str, headers: &[&str]) -> Answer {
    Server::start().await.client().await.ask("GET", path, headers).await
}

async fn preflight(path: &str, origin: &str) -> Answer {
    Server::start().await.client().await.ask("OPTIONS", path, &[origin, ASKS]).await
}

fn allowed(answer: &Answer) -> Option<String> {
    answer.header("access-control-allow-origin")
}

#[tokio::test]
async fn any_origin_is_a_star_on_every_answer() {
    for (path, status, vary) in [
        ("/api/v1/hello", 200, Some("Accept-Encoding")),
        ("/api/v1/nothing", 404, None),
        ("/api/v1/panic", 500, None),
    ] {
        let answer = get(path, &[ORIGIN]).await;
        assert_eq!((answer.status, allowed(&answer).as_deref()), (status, Some("*")));
        assert_eq!(answer.header("vary").as_deref(), vary, "no origin decides");
        assert_eq!(answer.header("access-control-allow-credentials"), None);
        let exposed = answer.header("access-control-expose-headers").unwrap();
        for header in ["ETag", "Error-Code", "Idempotency-Replayed", "Warning"] {
            assert!(exposed.contains(header), "{exposed}");
        }
    }
    assert_eq!(allowed(&get("/api/v1/hello", &[]).await).as_deref(), Some("*"));
}

#[tokio::test]
async fn a_listed_origin_is_echoed_and_others_are_not() {
    let listed = get("/listed/api/v1/hello", &[ORIGIN]).await;
    assert_eq!(allowed(&listed).as_deref(), Some("https://shop.example"));
    assert_eq!(listed.header("vary").as_deref(), Some("Origin, Accept-Encoding"));
    for other in ["Origin: https://shop.example.evil", "Origin: null", "X-Nothing: 1"] {
        let answer = get("/listed/api/v1/hello", &[other]).await;
        assert_eq!((answer.status, allowed(&answer)), (200, None), "{other}");
        assert_eq!(answer.header("vary").as_deref(), Some("Origin, Accept-Encoding"));
        assert_eq!(answer.header("access-control-expose-headers"), None);
    }
}

#[tokio::test]
async fn a_routes_own_vary_is_kept() {
    let answer = get("/listed/api/v1/varying", &[ORIGIN]).await;
    assert_eq!(answer.header("vary").as_deref(), Some("Accept-Language, Origin, Accept-Encoding"));
}

#[tokio::test]
async fn a_preflight_is_answered_before_everything_else() {
    for path in ["/api/v1/hello", "/listed/api/v1/hello"] {
        let answer = preflight(path, ORIGIN).await;
        assert_eq!((answer.status, &*answer.body), (204, ""));
        assert!(allowed(&answer).is_some());
        assert_eq!(
            answer.header("access-control-allow-methods").as_deref(),
            Some("GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")
        );
        assert!(answer.header("access-control-allow-headers").unwrap().contains("Authorization"));
        assert_eq!(answer.header("access-control-max-age").as_deref(), Some("7200"));
    }
}

#[tokio::test]
async fn a_preflight_allows_the_headers_that_it_asks_for() {
    let server = Server::start().await;
    let mut client = server.client().await;
    for (asked, allowed) in [
        ("traceparent, x-mine", "traceparent, x-mine"),
        (&*"x".repeat(1_024), &*"x".repeat(1_024)),
        (
            &*"x".repeat(1_025),
            "Accept, Accept-Language, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id",
        ),
    ] {
        let asked = format!("Access-Control-Request-Headers: {asked}");
        let answer = client.ask("OPTIONS", "/listed/api/v1/hello", &[ORIGIN, ASKS, &asked]).await;
        assert_eq!(answer.header("access-control-allow-headers").as_deref(), Some(allowed));
        assert_eq!(answer.header("vary").as_deref(), Some("Access-Control-Request-Headers, Origin"));
    }
}

#[tokio::test]
async fn a_preflight_of_an_unlisted_origin_allows_nothing() {
    let answer = preflight("/listed/api/v1/hello", "Origin: https://evil.example").await;
    assert_eq!((answer.status, allowed(&answer)), (204, None));
}

#[tokio::test]
async fn without_cors_there_is_no_preflight_and_no_header() {
    let answer = preflight("/off/api/v1/nothing", ORIGIN).await;
    assert_eq!((answer.status, allowed(&answer)), (404, None));
    let answer = get("/off/api/v1/hello", &[ORIGIN]).await;
    assert_eq!((answer.status, allowed(&answer)), (200, None));
    assert_eq!(answer.header("vary").as_deref(), Some("Accept-Encoding"));
}

#[tokio::test]
async fn options_without_preflight_is_the_routes() {
    let server = Server::start().await;
    let answer = server.client().await.ask("OPTIONS", "/api/v1/nothing", &[ORIGIN]).await;
    answer.assert_error(404, "Not found.");
}
