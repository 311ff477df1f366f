//! What a browser gets when the server does not serve a page: a page, too.

use std::sync::Arc;

use http::Method;
use pointbook_http::kernel::HttpLimits;
use pointbook_testkit::{Fault, FaultyDatabase};

use super::browser::{Browser, SHOP};
use crate::client::{Answer, Call};
use crate::harness::{TestServer, patient_limits};

async fn with_fault(fault: Fault) -> TestServer {
    let server = TestServer::start_on(move |database| Arc::new(FaultyDatabase::new(database, fault))).await;
    server.set("shop", "true").await;
    server
}

/// Checks that this is a whole page of the shop with this heading, and without a word of the cause.
fn assert_page(page: &Answer, status: u16, language: &str, heading: &str) {
    let text = page.text();
    assert_eq!(page.status, status, "{text}");
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!(page.header("cache-control"), Some("no-store"));
    assert!(page.header("content-security-policy").is_some());
    assert_eq!(page.header("retry-after"), (status == 503).then_some("1"), "{status}");
    assert!(text.starts_with(&format!("<!DOCTYPE html><html lang=\"{language}\">")), "{text}");
    assert!(text.contains(&format!("<h1>{heading}</h1>")), "{heading}: {text}");
    assert!(text.contains(&format!("<a class=\"brand\" href=\"{SHOP}\">")), "{text}");
    assert!(text.contains("<span>The shop</span></a>"), "{text}");
    assert!(!text.contains("injected"), "{text}");
}

#[tokio::test]
async fn a_failure_is_a_page_with_the_right_status() {
    for (fault, status, heading) in [
        (Fault::Panic, 500, "Something went wrong"),
        (Fault::Fail, 500, "Something went wrong"),
        (Fault::Unavailable, 503, "The shop is busy"),
        (Fault::Hang, 503, "The shop is busy"),
    ] {
        let server = with_fault(fault).await;
        let page = Browser::of(&server, "u1").await.get("/points").await;
        assert_page(&page, status, "en", heading);
        assert!(server.get("/v1/user/point-history").await.json()["message"].is_string(), "for a program");
    }
}

#[tokio::test]
async fn an_overloaded_server_sends_a_page_in_the_language_of_the_browser() {
    let limits = HttpLimits { max_concurrent_requests: 0, ..patient_limits() };
    let server = TestServer::start_with(limits, |database| database).await;
    server.set("shop", "true").await;
    let mut browser = Browser::new(&server);
    for (language, heading) in [
        ("en", "The shop is busy"),
        ("de", "Der Shop ist überlastet"),
        ("ja", "混み合っています"),
        ("tr", "Mağaza şu anda yoğun"),
    ] {
        browser.language = language;
        assert_page(&browser.get("").await, 503, language, heading);
        let form = browser.post("/orders", &[("product", "mug")]).await;
        assert_page(&form, 503, language, heading);
    }
}

#[tokio::test]
async fn a_refused_request_without_a_shop_is_a_page_for_browsers_only() {
    let server = TestServer::start().await;
    let long = "x".repeat(9_000);
    for path in [format!("/?{long}"), format!("{SHOP}?{long}"), format!("/shop/nothing?{long}")] {
        let call = || Call::new(server.address(), Method::GET, path.clone()).header("host", "shop.example");
        let page = call().header("accept", "text/html").send().await;
        assert_eq!((page.status.as_u16(), page.header("retry-after")), (414, None));
        assert!(page.text().contains("<h1>The server cannot read this</h1>"), "{}", page.text());
        assert_eq!(call().send().await.header("error-code"), Some("uri_too_long"), "for a program");
        assert_eq!(page.header("error-code"), None);
    }
    let elsewhere = Call::new(server.address(), Method::GET, format!("/nothing?{long}"));
    let answer = elsewhere.header("accept", "text/html").send().await;
    assert_eq!(answer.header("error-code"), Some("uri_too_long"));
}
