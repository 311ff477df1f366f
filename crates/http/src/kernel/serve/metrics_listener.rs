//! `GET /metrics`, and a hint at `/`, on a separate listener, which clients cannot reach.

use std::convert::Infallible;
use std::pin::pin;
use std::time::Duration;

use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use super::accept;
use crate::kernel::{MetricsHandle, Refusal, Response};

/// How often measurements are summed up, so that they take little memory between two scrapes.
const UPKEEP_INTERVAL: Duration = Duration::from_secs(5);
const HEADER_READ_TIMEOUT: Duration = Duration::from_secs(10);
const TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");
const TEXT_FORMAT: HeaderValue = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");

const HINT: &str = "This is the metrics listener of pointbook. Prometheus scrapes /metrics.\n";

/// Serves the metrics in the Prometheus text format until `shutdown` is ready. `more` gives further metrics in that
/// format, read anew for each scrape. `refuse` makes the response to unknown paths and methods.
pub async fn serve_metrics(
    listener: TcpListener,
    handle: MetricsHandle,
    more: fn() -> String,
    refuse: fn(Refusal) -> Response,
    shutdown: impl Future<Output = ()>,
) {
    let mut shutdown = pin!(shutdown);
    let mut upkeep = tokio::time::interval(UPKEEP_INTERVAL);
    let mut tasks = JoinSet::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEADER_READ_TIMEOUT);
    loop {
        tokio::select! {
            () = &mut shutdown => return tasks.shutdown().await,
            _ = upkeep.tick() => handle.run_upkeep(),
            Some(_) = tasks.join_next() => {}
            (stream, _) = accept(|| listener.accept()) => {
                let handle = handle.clone();
                let service = service_fn(move |request| {
                    let answer = answer(&request, &handle, more).unwrap_or_else(refuse).sent(HeaderMap::new(), |_| {});
                    async move { Ok::<_, Infallible>(answer) }
                });
                tasks.spawn(ended(http.serve_connection(TokioIo::new(stream), service)));
            }
        }
    }
}

async fn ended(connection: impl Future<Output = hyper::Result<()>>) {
    if let Err(error) = connection.await {
        let error: &dyn std::error::Error = &error;
        tracing::debug!(target: "pointbook_http::serve::metrics_listener", error, "metrics connection ended early");
    }
}

fn answer<B>(
    request: &Request<B>,
    handle: &MetricsHandle,
    more: fn() -> String,
) -> Result<Response, Refusal> {
    let (method, path) = (request.method().clone(), request.uri().path());
    if !matches!(path, "/" | "/metrics") {
        return Err(Refusal::NotFound);
    }
    if !matches!(method, Method::GET | Method::HEAD) {
        return Err(Refusal::MethodNotAllowed { method, allowed: "GET, HEAD".into() });
    }
    let (content_type, body) =
        if path == "/" { (TEXT, HINT.to_owned()) } else { (TEXT_FORMAT, handle.render() + &more()) };
    let mut response = Response { body: body.into(), ..Response::empty(StatusCode::OK) };
    response.headers.insert(CONTENT_TYPE, content_type);
    Ok(response)
}
