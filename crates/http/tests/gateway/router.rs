//! A router with a route for everything that can go well or wrong.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use pointbook_app::StoreError;
use pointbook_http::response::json;
use pointbook_http::{ApiError, RequestContext};
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

pub(crate) fn router(gate: Arc<Gate>) -> Router {
    let wait = move |RequestContextOf(context): RequestContextOf| async move {
        context.route.set("test.wait");
        gate.wait().await;
        json(StatusCode::OK, "{}")
    };
    Router::new()
        .route("/v1/hello", get(hello).post(|| async { json(StatusCode::CREATED, "{}") }))
        .route("/v1/echo", post(|body: Bytes| async { json(StatusCode::OK, body) }))
        .route("/v1/varying", get(varying))
        .route("/v1/panic", get(panic_on_purpose))
        .route("/v1/store/{failure}", get(fail))
        .route("/v1/wait", get(wait))
        .route("/v1/long", get(|| async { json(StatusCode::OK, "x".repeat(LONG_BYTES)) }))
        .fallback(|| async { ApiError::NotFound })
}

/// Says whose request it was and what of its address arrived here.
async fn hello(RequestContextOf(context): RequestContextOf, uri: Uri) -> Response {
    let body = format!("{{\"tenant\":\"{}\",\"uri\":\"{uri}\"}}", context.tenant.name());
    context.route.set("test.hello");
    json(StatusCode::OK, body)
}

async fn varying(headers: HeaderMap) -> Response {
    assert!(headers.contains_key("host"));
    let mut response = Response::new(Body::from("{}"));
    response.headers_mut().insert("vary", HeaderValue::from_static("Accept-Language"));
    response
}

async fn fail(Path(failure): Path<String>) -> ApiError {
    match failure.as_str() {
        "away" => StoreError::Unavailable("locked by somebody".into()).into(),
        _ => StoreError::Failed("a broken disk".into()).into(),
    }
}

async fn panic_on_purpose(RequestContextOf(context): RequestContextOf) -> Response {
    context.route.set("test.panic");
    assert!(!std::hint::black_box(true), "on purpose");
    StatusCode::OK.into_response()
}

/// The context, taken from the extensions as handlers take it.
struct RequestContextOf(RequestContext);

impl<S: Sync> axum::extract::FromRequestParts<S> for RequestContextOf {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut axum::http::request::Parts, _: &S) -> Result<Self, ApiError> {
        parts.extensions.get().cloned().map(Self).ok_or(ApiError::Internal)
    }
}
