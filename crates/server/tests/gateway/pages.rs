//! The place of pages in the gateway: requests that are below no tenant's base URL.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use http::{Method, StatusCode, Uri};
use pointbook_domain::TenantName;
use pointbook_http::kernel::{
    AccessLog, AccessLogFormat, Answering, BodyLimit, Face, PageRequest, Pages, Refusal, RefusedRequest,
    Response, install_metrics,
};
use serde_json::Value;

use crate::access_log::Sink;
use crate::server::{HELLO, Server};

/// Counts what it is asked for, and has one page, which belongs to a tenant.
#[derive(Clone, Default)]
struct OnePage(Arc<AtomicUsize>);

/// More than the ordinary limit of 1 MiB.
const UPLOAD_BYTES: usize = 1024 * 1024 + 1;

/// The tenant of the page.
fn tenant() -> TenantName {
    TenantName::parse("acme/staging").unwrap()
}

impl<K: Send + Sync> Pages<K> for OnePage {
    fn answer<'r>(&'r self, request: PageRequest<'r, K>) -> Option<Answering<'r>> {
        self.0.fetch_add(1, Ordering::Relaxed);
        let is_page = request.uri.path() == "/console";
        if is_page {
            request.tenant.set(tenant()).unwrap();
        }
        let mut page = Response::empty(StatusCode::OK);
        page.body = "<p>".into();
        is_page.then(|| -> Answering<'r> { Box::pin(std::future::ready(page)) })
    }

    fn body_limit(&self, _: Face, method: &Method, uri: &Uri) -> BodyLimit {
        match uri.path() {
            "/console" if *method == Method::POST && uri.query() == Some("form") => {
                BodyLimit::Form(UPLOAD_BYTES)
            }
            "/console" if *method == Method::POST => BodyLimit::Bytes(UPLOAD_BYTES),
            _ => BodyLimit::Ordinary,
        }
    }

    fn refuse(&self, request: RefusedRequest<'_>, refusal: &Refusal) -> Option<Response> {
        if request.uri.path() != "/console" || *refusal != Refusal::UriTooLong {
            return None;
        }
        request.tenant.set(tenant()).unwrap();
        let mut page = Response::empty(StatusCode::TOO_MANY_REQUESTS);
        page.body = "<h1>".into();
        Some(page)
    }
}

#[tokio::test]
async fn a_page_answers_what_belongs_to_no_tenant() {
    let pages = OnePage::default();
    let server = Server::with_pages(pages.clone()).await;
    let mut client = server.client().await;
    let page = client.get("/console").await;
    assert_eq!((page.status, &*page.body), (200, "<p>"));
    assert!(page.header("x-request-id").is_some());
    assert_eq!(pages.0.load(Ordering::Relaxed), 1);
    for of_others in [HELLO, "/api/v1/nothing", "/healthz", "/openapi.json"] {
        client.get(of_others).await;
    }
    assert_eq!(
        pages.0.load(Ordering::Relaxed),
        1,
        "a tenant's requests, probes and documents are not asked for"
    );
    for nowhere in ["/", "/console/more", "/stranger/api/v1/hello"] {
        client.get(nowhere).await.assert_error(404, "Not found.");
    }
    assert_eq!(pages.0.load(Ordering::Relaxed), 4);
}

#[tokio::test]
async fn the_page_of_a_refusal_is_asked_for_where_no_tenant_is() {
    let server = Server::with_pages(OnePage::default()).await;
    let mut client = server.client().await;
    let long = "x".repeat(9_000);
    let page = client.get(&format!("/console?{long}")).await;
    assert_eq!((page.status, &*page.body), (429, "<h1>"));
    for path in [HELLO, "/nothing"] {
        client.get(&format!("{path}?{long}")).await.assert_error(414, "URI too long.");
    }
}

#[tokio::test]
async fn the_access_log_and_the_metrics_name_the_tenant_of_a_page() {
    let handle = install_metrics().unwrap();
    let sink = Sink::default();
    let log = Arc::new(AccessLog::start(Box::new(sink.clone()), AccessLogFormat::Json).unwrap());
    let server = Server::logging_with_pages(log.clone(), OnePage::default()).await;
    let mut client = server.client().await;
    for path in ["/console", &format!("/console?{}", "x".repeat(9_000)), "/nothing"] {
        client.get(path).await;
    }
    log.close();
    let lines: Vec<Value> = sink.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let said: Vec<_> = lines.iter().map(|line| (line["status"].as_u64().unwrap(), &line["tenant"])).collect();
    let acme = Value::from("acme/staging");
    assert_eq!(said, [(200, &acme), (429, &acme), (404, &Value::Null)]);
    let rejected = "pointbook_tenant_requests_rejected_total{tenant=\"acme/staging\",status=\"429\"}";
    assert!(handle.render().contains(rejected));
}

/// The page does not read the body. So the status tells whether the gateway lets the request through.
#[tokio::test]
async fn only_a_page_that_takes_uploads_gets_a_long_body() {
    let server = Server::with_pages(OnePage::default()).await;
    for (path, bytes, status) in [
        ("/console", UPLOAD_BYTES, 200),
        ("/console", UPLOAD_BYTES + 1, 413),
        ("/console?form", UPLOAD_BYTES + 1, 200),
        ("/console/more", UPLOAD_BYTES - 1, 404),
        ("/console/more", UPLOAD_BYTES, 413),
        (HELLO, UPLOAD_BYTES, 413),
    ] {
        let length = format!("content-length: {bytes}");
        let answer = server.client().await.ask("POST", path, &[&length]).await;
        assert_eq!(answer.status, status, "{path} {bytes}");
    }
}
