//! Operations for everything that can go well or wrong.

use std::sync::Arc;

use http::Method;
use pointbook_http::error::ErrorShape;
use pointbook_http::head::Head;
use pointbook_http::kernel::{Answering, BodyLimit, Response, json};
use pointbook_http::{ApiError, Listed, Operations, SiteRequest};
use pointbook_server::slices::LISTED;
use pointbook_store::{Service, StoreError};
use tokio::sync::Semaphore;

/// More than the buffers of both sides hold.
pub(crate) const LONG_BYTES: usize = 16 * 1024 * 1024;

/// Holds up the requests for `/v1/wait`.
pub(crate) struct Gate {
    entered: Semaphore,
    opened: Semaphore,
}

impl Default for Gate {
    fn default() -> Self {
        Self { entered: Semaphore::new(0), opened: Semaphore::new(0) }
    }
}

impl Gate {
    /// Until one more request waits.
    pub(crate) async fn entered(&self) {
        self.entered.acquire().await.unwrap().forget();
    }

    /// Lets one request go on.
    pub(crate) fn open(&self) {
        self.opened.add_permits(1);
    }

    async fn wait(&self) {
        self.entered.add_permits(1);
        self.opened.acquire().await.unwrap().forget();
    }
}

/// What there is to ask for.
pub(crate) struct Trials(pub(crate) Arc<Gate>);

impl Operations for Trials {
    fn listed(&self) -> &'static Listed {
        &LISTED
    }

    fn body_limit(&self, method: &Method, path: &str) -> BodyLimit {
        if *method == Method::POST && path == "/v1/import" { BodyLimit::Import } else { BodyLimit::Ordinary }
    }

    fn error_shape(&self, _: &Method, _: &str) -> ErrorShape {
        ErrorShape::Documented
    }

    fn answer<'r>(&'r self, asked: SiteRequest<'r>, _: &'r Service) -> Answering<'r> {
        Box::pin(async move {
            match (asked.method.as_str(), asked.path) {
                ("GET", "/v1/hello") => hello(&asked),
                ("POST", "/v1/hello") => json(http::StatusCode::CREATED, "{}"),
                (_, "/v1/hello") => {
                    let method = asked.method.clone();
                    refused(ApiError::MethodNotAllowed { method, allowed: "GET, HEAD, POST".into() })
                }
                ("POST", "/v1/echo") => echo(asked).await,
                ("GET", "/v1/varying") => varying(&asked),
                ("GET", "/v1/panic") => panic_on_purpose(&asked),
                ("GET", "/v1/store/away") => {
                    refused(StoreError::Unavailable("locked by another program".into()))
                }
                ("GET", "/v1/store/broken") => refused(StoreError::Failed("a broken disk".into())),
                ("GET", "/v1/wait") => wait(&asked, &self.0).await,
                ("POST", "/v1/wait") => match Head::from(&asked).receive_body().await {
                    Ok(_) => wait(&asked, &self.0).await,
                    Err(error) => refused(error),
                },
                ("GET", "/v1/long") => json(http::StatusCode::OK, "x".repeat(LONG_BYTES)),
                _ => refused(ApiError::NotFound),
            }
        })
    }
}

fn refused(error: impl Into<ApiError>) -> Response {
    error.into().into_response(ErrorShape::Documented)
}

/// Says whose request it was and what of its address arrived here.
fn hello(asked: &SiteRequest<'_>) -> Response {
    let (tenant, path) = (asked.tenant.name(), asked.path);
    let query = asked.query.map(|query| format!("?{query}")).unwrap_or_default();
    let _ = asked.route.set("test.hello");
    json(http::StatusCode::OK, format!("{{\"tenant\":\"{tenant}\",\"uri\":\"{path}{query}\"}}"))
}

async fn echo(asked: SiteRequest<'_>) -> Response {
    match Head::from(&asked).receive_body().await {
        Ok(body) => json(http::StatusCode::OK, body),
        Err(error) => refused(error),
    }
}

fn varying(asked: &SiteRequest<'_>) -> Response {
    assert!(asked.headers.contains_key("host"));
    let mut response = json(http::StatusCode::OK, "{}");
    response.headers.insert("vary", http::HeaderValue::from_static("Accept-Language"));
    response
}

async fn wait(asked: &SiteRequest<'_>, gate: &Gate) -> Response {
    let _ = asked.route.set("test.wait");
    gate.wait().await;
    json(http::StatusCode::OK, "{}")
}

fn panic_on_purpose(asked: &SiteRequest<'_>) -> Response {
    let _ = asked.route.set("test.panic");
    assert!(!std::hint::black_box(true), "on purpose");
    json(http::StatusCode::OK, "{}")
}
