//! Listening, keeping connections, and ending well. HTTP/1.1 only: TLS and HTTP/2 belong to the
//! proxy in front, which keeps few long connections to us.

mod connection;
mod head_timer;
mod metrics_listener;
mod stream;

use std::io;
use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{Shared, join_all};
use hyper::server::conn::http1;
use hyper_util::server::graceful::GracefulShutdown;
pub use metrics_listener::serve_metrics;
use pointbook_store::queue::{Bounds, Lane, Limits, Overloaded, Permit, Permits};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until, timeout_at};

use crate::kernel::gateway::network_of;
use crate::kernel::{Face, Gateway, Interface};

/// How long a connection that was opened at the end has for its first request, which has often
/// arrived already. Without it, the connection would count as idle and be closed unread.
const SETTLE: Duration = Duration::from_millis(20);

/// How long to wait when the system has no connection to give, for want of file descriptors or
/// memory: until some are free again. Without a pause the loop would spin.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves until `shutdown` is ready, then ends in order: `/readyz` turns 503, the listener is closed
/// (`unready_before_close_ms` later), requests that are running are answered, idle connections are closed, and what is
/// not done after `drain_timeout_ms` is cut off. Returns when no connection is left.
pub async fn serve<I: Interface>(
    listener: TcpListener,
    gateway: Arc<Gateway<I>>,
    shutdown: impl Future<Output = ()>,
) {
    serve_faces(vec![(listener, Face::Whole)], gateway, shutdown).await;
}

/// The same on several listeners. They share all limits but one: each may have `max_connections`, so that connections to one keep no
/// one away from another.
pub async fn serve_faces<I: Interface>(
    listeners: Vec<(TcpListener, Face)>,
    gateway: Arc<Gateway<I>>,
    shutdown: impl Future<Output = ()>,
) {
    let shutdown = shutdown.shared();
    let serve = |(listener, face)| serve_face(listener, face, gateway.clone(), shutdown.clone());
    join_all(listeners.into_iter().map(serve)).await;
}

async fn serve_face<I: Interface>(
    listener: TcpListener,
    face: Face,
    gateway: Arc<Gateway<I>>,
    shutdown: Shared<impl Future<Output = ()>>,
) {
    let limits = gateway.limits;
    let mut open = OpenConnections {
        http: connection::http(&limits),
        gateway: gateway.clone(),
        face,
        permits: Arc::new(Semaphore::new(limits.max_connections)),
        of_addresses: of_addresses(limits.max_connections),
        graceful: GracefulShutdown::new(),
        tasks: JoinSet::new(),
        last_opened_at: Instant::now(),
    };
    open.accept_until(&listener, shutdown).await;
    gateway.begin_shutdown();
    tracing::info!(target: "pointbook_http::serve", connections = open.graceful.count(), "shutting down");
    if limits.unready_before_close_ms > 0 {
        open.accept_until(&listener, sleep(Duration::from_millis(limits.unready_before_close_ms))).await;
    }
    let drained_by = Instant::now() + Duration::from_millis(limits.drain_timeout_ms);
    open.accept_waiting(listener);
    sleep_until(drained_by.min(open.last_opened_at + SETTLE)).await;
    if timeout_at(drained_by, open.graceful.shutdown()).await.is_err() {
        tracing::warn!(target: "pointbook_http::serve", "requests cut off at the end of the drain time");
    }
    open.tasks.shutdown().await;
}

struct OpenConnections<I: Interface> {
    http: http1::Builder,
    gateway: Arc<Gateway<I>>,
    face: Face,
    permits: Arc<Semaphore>,
    of_addresses: Permits<IpAddr, ()>,
    graceful: GracefulShutdown,
    tasks: JoinSet<()>,
    last_opened_at: Instant,
}

impl<I: Interface> OpenConnections<I> {
    async fn accept_until(&mut self, listener: &TcpListener, end: impl Future<Output = ()>) {
        let mut end = pin!(end);
        loop {
            let permits = self.permits.clone();
            let next = async {
                let permit = permits.acquire_owned().await.ok()?;
                Some((permit, accept(|| listener.accept()).await))
            };
            tokio::select! {
                () = &mut end => return,
                // Finished tasks are taken away as they come, or their results would pile up.
                Some(_) = self.tasks.join_next() => {}
                Some((permit, (stream, peer))) = next => self.open(permit, stream, peer),
            }
        }
    }

    /// Takes in the clients that the system has connected so far, then closes the listener, which
    /// would reset them. The system is asked directly: what the runtime knows may be out of date.
    fn accept_waiting(&mut self, listener: TcpListener) {
        let Ok(listener) = listener.into_std() else { return };
        while let Ok(permit) = self.permits.clone().try_acquire_owned() {
            let client = listener.accept().and_then(|(stream, peer)| {
                stream.set_nonblocking(true)?;
                Ok((TcpStream::from_std(stream)?, peer))
            });
            match client {
                Ok((stream, peer)) => self.open(permit, stream, peer),
                Err(error) if error.kind() == ErrorKind::ConnectionAborted => {}
                Err(_) => return,
            }
        }
    }

    /// Keeps a connection going until it ends, and its permits taken. Closes it at once when its address has its share.
    fn open(&mut self, permit: OwnedSemaphorePermit, stream: TcpStream, peer: SocketAddr) {
        let Ok(of_address) = self.permit_of_address(peer.ip().to_canonical()) else {
            return self.gateway.metrics.refused_connections.increment(1);
        };
        let gateway = self.gateway.clone();
        let side = (gateway.clone(), self.face);
        let connection = self.graceful.watch(connection::open(&self.http, side, stream, peer));
        self.tasks.spawn(async move {
            let _counted = Counted::new(gateway.metrics.connections.clone());
            if let Err(error) = connection.await {
                connection::record_end(&gateway, &error, peer);
            }
            // In this order: whoever gets the permit next may be the same address.
            drop(of_address);
            drop(permit);
        });
        self.last_opened_at = Instant::now();
    }

    /// `None` for a trusted proxy, which has the connections of many clients.
    fn permit_of_address(&self, address: IpAddr) -> Result<Option<Permit<IpAddr, ()>>, Overloaded> {
        if self.gateway.trusted_proxies.contains(address) {
            return Ok(None);
        }
        self.of_addresses.try_acquire(Lane::of(network_of(address), ()), 1).map(Some)
    }
}

/// An address may have half of the connections. So idle ones of a single client leave room for others, and for probes.
fn of_addresses(max_connections: usize) -> Permits<IpAddr, ()> {
    let permits = Bounds { tenant: max_connections.div_ceil(2), ..Bounds::default() };
    Permits::new(Limits { permits, ..Limits::default() })
}

/// An open connection in the gauge, until its task ends, is aborted or panics.
struct Counted(metrics::Gauge);

impl Counted {
    fn new(gauge: metrics::Gauge) -> Self {
        gauge.increment(1.0);
        Self(gauge)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.decrement(1.0);
    }
}

/// Accepts until it succeeds; no error ends the listening.
async fn accept<T, F>(mut accept: impl FnMut() -> F) -> T
where
    F: Future<Output = io::Result<T>>,
{
    use ErrorKind::{ConnectionAborted, ConnectionReset, Interrupted};
    loop {
        match accept().await {
            Ok(client) => return client,
            // Only the client in question is gone.
            Err(error) if matches!(error.kind(), ConnectionAborted | ConnectionReset | Interrupted) => {}
            Err(error) => {
                tracing::error!(target: "pointbook_http::serve::accept", error = &error as &dyn std::error::Error, "cannot accept connections");
                sleep(PAUSE).await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::future::ready;

    use tokio::time::Instant;

    use super::*;

    async fn accept_after(errors: &[ErrorKind]) -> Duration {
        let mut errors: VecDeque<ErrorKind> = errors.iter().copied().collect();
        let started = Instant::now();
        accept(|| ready(errors.pop_front().map_or(Ok(()), |kind| Err(kind.into())))).await;
        started.elapsed()
    }

    #[tokio::test(start_paused = true)]
    async fn want_of_descriptors_pauses_and_does_not_end_the_loop() {
        assert_eq!(accept_after(&[ErrorKind::Other, ErrorKind::OutOfMemory]).await, 2 * PAUSE);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_is_gone_costs_no_pause() {
        assert_eq!(accept_after(&[ErrorKind::ConnectionAborted]).await, Duration::ZERO);
    }
}
