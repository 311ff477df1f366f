//! The place of pages in the gateway: requests that are below no tenant's base URL.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use http::StatusCode;
use pointbook_http_kernel::{Answering, PageRequest, Pages, Response};

use crate::server::{HELLO, Server};

/// Counts what it is asked for, and has one page.
#[derive(Clone, Default)]
struct OnePage(Arc<AtomicUsize>);

impl<K: Send + Sync> Pages<K> for OnePage {
    fn answer<'r>(&'r self, request: PageRequest<'r, K>) -> Option<Answering<'r>> {
        self.0.fetch_add(1, Ordering::Relaxed);
        let is_page = request.uri.path() == "/console";
        let mut page = Response::empty(StatusCode::OK);
        page.body = "<p>".into();
        is_page.then(|| -> Answering<'r> { Box::pin(std::future::ready(page)) })
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
}

#[tokio::test]
async fn what_no_page_has_is_refused_as_without_pages() {
    let pages = OnePage::default();
    let (with, without) = (Server::with_pages(pages.clone()).await, Server::start().await);
    for path in ["/", "/console/more", "/stranger/api/v1/hello"] {
        let [one, other] = [with.client().await.get(path).await, without.client().await.get(path).await];
        assert_eq!((one.status, &one.body), (404, &other.body), "{path}");
        one.assert_error(404, "Not found.");
    }
    assert_eq!(pages.0.load(Ordering::Relaxed), 3);
}
