//! One connection: HTTP/1.1 by hyper, with our limits.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::GracefulConnection;
use metrics::Gauge;
use tokio::net::TcpStream;
use tokio::sync::OwnedSemaphorePermit;

use super::head_timer::HeadTimer;
use super::refused::refused_with;
use super::stream::ClientStream;
use super::write_stall::WriteStall;
use crate::gateway::Gateway;
use crate::interface::Interface;
use crate::limits::HttpLimits;

/// The least that hyper's buffer may hold.
const MIN_BUFFER_BYTES: usize = 8 * 1024;
/// How much of a body is read at a time.
const BUFFER_BYTES: usize = 64 * 1024;
/// How many headers hyper can take without an allocation per request.
const FREE_HEADERS: usize = 100;

/// What the requests of one connection share.
struct Side<I> {
    gateway: Arc<Gateway<I>>,
    peer: String,
}

/// Makes connections.
pub(super) struct Connections<I> {
    http: http1::Builder,
    gateway: Arc<Gateway<I>>,
}

impl<I: Interface> Connections<I> {
    pub(super) fn new(gateway: Arc<Gateway<I>>) -> Self {
        Self { http: http(gateway.limits()), gateway }
    }

    /// Speaks HTTP over this stream. A client may end its side after the request (`half_close`) and
    /// still gets its answer.
    pub(super) fn open(
        &self,
        stream: TcpStream,
        peer: SocketAddr,
    ) -> impl GracefulConnection<Error = hyper::Error> + Send + use<I> {
        // An answer is written in one piece: to wait for more would only delay it. When the option
        // cannot be set, the client is gone, which reading will tell.
        let _ = stream.set_nodelay(true);
        let limits = self.gateway.limits();
        let (timer, stall) = (HeadTimer::new(limits), WriteStall::new(limits.write_stall()));
        // The connection's own, because to count who holds the gateway for each request is to hand that count from
        // processor to processor.
        let side = Arc::new(Side { gateway: self.gateway.clone(), peer: peer.to_string() });
        let io = TokioIo::new(ClientStream::new(stream, timer.clone(), stall));
        let service = service_fn(move |request: Request<Incoming>| {
            let side = side.clone();
            async move { Ok::<Response<_>, Infallible>(side.gateway.answer(request, &side.peer).await) }
        });
        self.http.clone().timer(timer).serve_connection(io, service)
    }

    /// Keeps a connection going until it ends, and its permit taken. Records the request that hyper refused, if any.
    pub(super) fn keep(
        &self,
        connection: impl Future<Output = hyper::Result<()>> + Send + 'static,
        peer: SocketAddr,
        permit: OwnedSemaphorePermit,
    ) -> impl Future<Output = ()> + Send + 'static {
        let (gateway, count) = (self.gateway.clone(), Counted::new(&self.gateway.metrics.connections));
        async move {
            if let Err(error) = connection.await {
                if let Some(status) = refused_with(&error) {
                    gateway.record_unparsed(status, &peer.to_string());
                }
                let error: &dyn std::error::Error = &error;
                tracing::debug!(target: "pointbook_http::serve::connection", error, "connection ended early");
            }
            drop((permit, count));
        }
    }
}

fn http(limits: &HttpLimits) -> http1::Builder {
    let header_bytes = limits.max_header_bytes.max(MIN_BUFFER_BYTES);
    let mut http = http1::Builder::new();
    http.half_close(true)
        .max_header_size(header_bytes)
        .max_buf_size(header_bytes.max(BUFFER_BYTES))
        .header_read_timeout(limits.header_read_timeout());
    if limits.max_headers != FREE_HEADERS {
        http.max_headers(limits.max_headers);
    }
    http
}

/// Counts a connection in the metrics for as long as it lives.
struct Counted(Gauge);

impl Counted {
    fn new(connections: &Gauge) -> Self {
        connections.increment(1.0);
        Self(connections.clone())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.decrement(1.0);
    }
}
