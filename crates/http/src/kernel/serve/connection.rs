//! One connection: HTTP/1.1 by hyper, with our limits.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::GracefulConnection;
use tokio::net::TcpStream;

use super::head_timer::HeadTimer;
use super::stream::ClientStream;
use crate::kernel::{Face, Gateway, HttpLimits, Interface};

/// The smallest buffer of hyper.
const MIN_BUFFER_BYTES: usize = 8 * 1024;
/// How much of a body is read at a time.
const BUFFER_BYTES: usize = 64 * 1024;
/// How many headers hyper reads without an allocation per request.
const FREE_HEADERS: usize = 100;
/// The text of hyper's error behind a 414: it has a method that tells errors of size from others, but none that
/// tells a long URI from a long head.
const URI_TOO_LONG: &str = "URI too long";

pub(super) fn http(limits: &HttpLimits) -> http1::Builder {
    let header_bytes = limits.max_header_bytes.max(MIN_BUFFER_BYTES);
    let mut http = http1::Builder::new();
    // A client may end its side after the request and still gets its response.
    http.half_close(true)
        .max_header_size(header_bytes)
        .max_buf_size(header_bytes.max(BUFFER_BYTES))
        .header_read_timeout(Duration::from_millis(limits.header_read_timeout_ms));
    if limits.max_headers != FREE_HEADERS {
        http.max_headers(limits.max_headers);
    }
    http
}

pub(super) fn open<I: Interface>(
    http: &http1::Builder,
    (gateway, face): (Arc<Gateway<I>>, Face),
    stream: TcpStream,
    peer: SocketAddr,
) -> impl GracefulConnection<Error = hyper::Error> + Send + use<I> {
    // A response is written in one piece: to wait for more would only delay it. When the option
    // cannot be set, the client is gone, which reading will tell.
    let _ = stream.set_nodelay(true);
    let timer = HeadTimer::new(&gateway.limits);
    let write_stall = Duration::from_millis(gateway.limits.write_stall_ms);
    let io = TokioIo::new(ClientStream::new(stream, timer.clone(), write_stall));
    // The connection's own, because to count the holders of the gateway for each request is to hand that count from
    // processor to processor.
    let side = Arc::new((gateway, peer.to_string()));
    let service = service_fn(move |request| {
        let side = side.clone();
        async move { Ok::<_, Infallible>(side.0.answer(request, &side.1, face).await) }
    });
    http.clone().timer(timer).serve_connection(io, service)
}

/// Counts and logs the response that hyper sent to bytes which it could not read as a request, if it did.
pub(super) fn record_end<I: Interface>(gateway: &Gateway<I>, error: &hyper::Error, peer: SocketAddr) {
    if let Some(status) = refused_with(error) {
        gateway.record_unparsed(status, &peer.to_string());
    }
    let error: &dyn std::error::Error = error;
    tracing::debug!(target: "pointbook_http::serve::connection", error, "connection ended early");
}

/// The status of the response without a body that hyper sent before the connection ended with this error. `None`
/// when it sent no such response.
fn refused_with(error: &hyper::Error) -> Option<StatusCode> {
    // hyper closes the connection of a client that speaks HTTP/2, and sends nothing.
    if !error.is_parse() || error.is_parse_version_h2() {
        return None;
    }
    Some(if !error.is_parse_too_large() {
        StatusCode::BAD_REQUEST
    } else if error.to_string() == URI_TOO_LONG {
        StatusCode::URI_TOO_LONG
    } else {
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE
    })
}
