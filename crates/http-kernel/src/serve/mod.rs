//! Listening, keeping connections, and ending well. HTTP/1.1 only: TLS and HTTP/2 belong to the
//! proxy in front, which keeps few long connections to us.

mod accept;
mod connection;
mod head_timer;
mod metrics_listener;
mod pieces;
mod refused;
mod stream;
mod write_stall;

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until, timeout_at};

use crate::gateway::Gateway;
use crate::interface::Interface;
use connection::Connections;

pub use metrics_listener::serve_metrics;

/// How long a connection that was opened at the end has for its first request, which has often
/// arrived already. Without it, the connection would count as idle and be closed unread.
const SETTLE: Duration = Duration::from_millis(20);

/// Serves until `shutdown` is ready, then ends in order: `/readyz` turns 503, the listener is closed
/// ([`unready_before_close_ms`] later), requests that are running are answered, idle connections
/// are closed, and what is not done after [`drain_timeout_ms`] is cut off. Returns when no connection is
/// left.
///
/// [`unready_before_close_ms`]: crate::HttpLimits::unready_before_close_ms
/// [`drain_timeout_ms`]: crate::HttpLimits::drain_timeout_ms
pub async fn serve<I: Interface>(
    listener: TcpListener,
    gateway: Arc<Gateway<I>>,
    shutdown: impl Future<Output = ()>,
) {
    let limits = *gateway.limits();
    let mut open = Open {
        connections: Connections::new(gateway.clone()),
        permits: Arc::new(Semaphore::new(limits.max_connections)),
        graceful: GracefulShutdown::new(),
        tasks: JoinSet::new(),
        last_opened_at: Instant::now(),
    };
    open.accept_until(&listener, shutdown).await;
    gateway.begin_shutdown();
    tracing::info!(target: "pointbook_http::serve", connections = open.graceful.count(), "shutting down");
    let pause = limits.unready_before_close();
    if !pause.is_zero() {
        open.accept_until(&listener, tokio::time::sleep(pause)).await;
    }
    let drained_by = Instant::now() + limits.drain_timeout();
    open.accept_waiting(listener);
    sleep_until(drained_by.min(open.last_opened_at + SETTLE)).await;
    if timeout_at(drained_by, open.graceful.shutdown()).await.is_err() {
        tracing::warn!(target: "pointbook_http::serve", "requests cut off at the end of the drain time");
    }
    open.tasks.shutdown().await;
}

/// The connections that are open.
struct Open<I> {
    connections: Connections<I>,
    permits: Arc<Semaphore>,
    graceful: GracefulShutdown,
    tasks: JoinSet<()>,
    last_opened_at: Instant,
}

impl<I: Interface> Open<I> {
    async fn accept_until(&mut self, listener: &TcpListener, end: impl Future<Output = ()>) {
        let mut end = pin!(end);
        loop {
            let permits = self.permits.clone();
            tokio::select! {
                () = &mut end => return,
                // Finished tasks are taken away as they come, or their results would pile up.
                Some(_) = self.tasks.join_next() => {}
                Some((permit, (stream, peer))) = next(permits, listener) => self.open(permit, stream, peer),
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

    fn open(&mut self, permit: OwnedSemaphorePermit, stream: TcpStream, peer: SocketAddr) {
        let connection = self.connections.open(stream, peer);
        let watched = self.graceful.watch(connection);
        self.tasks.spawn(self.connections.keep(watched, peer, permit));
        self.last_opened_at = Instant::now();
    }
}

/// The next client, once there is a permit for it.
async fn next(
    permits: Arc<Semaphore>,
    listener: &TcpListener,
) -> Option<(OwnedSemaphorePermit, accept::Client)> {
    let permit = permits.acquire_owned().await.ok()?;
    Some((permit, accept::accept(|| listener.accept()).await))
}
