//! Listening, keeping connections, and ending well. HTTP/1.1 only: TLS and HTTP/2 belong to the
//! proxy in front, which keeps few long connections to us.

mod accept;
mod connection;
mod head_timer;
mod metrics_listener;
mod refusal;
mod write_stall;

use std::pin::pin;
use std::sync::Arc;

use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpListener;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;

use crate::gateway::Gateway;
use connection::Connections;

pub use metrics_listener::serve_metrics;

/// Serves until `shutdown` is ready, then ends in order: `/readyz` turns 503, the listener is closed
/// ([`unready_before_close_ms`] later), requests that are running are answered, idle connections
/// are closed, and what is not done after [`drain_timeout_ms`] is cut off. Returns when no connection is
/// left.
///
/// [`unready_before_close_ms`]: crate::HttpLimits::unready_before_close_ms
/// [`drain_timeout_ms`]: crate::HttpLimits::drain_timeout_ms
pub async fn serve(listener: TcpListener, gateway: Arc<Gateway>, shutdown: impl Future<Output = ()>) {
    let limits = *gateway.limits();
    let mut open = Open {
        connections: Connections::new(gateway.clone()),
        places: Arc::new(Semaphore::new(limits.max_connections)),
        graceful: GracefulShutdown::new(),
        tasks: JoinSet::new(),
    };
    open.accept_until(&listener, shutdown).await;
    gateway.begin_shutdown();
    tracing::info!(connections = open.graceful.count(), "shutting down");
    let pause = limits.unready_before_close();
    if !pause.is_zero() {
        open.accept_until(&listener, tokio::time::sleep(pause)).await;
    }
    drop(listener);
    if tokio::time::timeout(limits.drain_timeout(), open.graceful.shutdown()).await.is_err() {
        tracing::warn!("requests cut off at the end of the drain time");
    }
    open.tasks.shutdown().await;
}

/// The connections that are open.
struct Open {
    connections: Connections,
    places: Arc<Semaphore>,
    graceful: GracefulShutdown,
    tasks: JoinSet<()>,
}

impl Open {
    async fn accept_until(&mut self, listener: &TcpListener, end: impl Future<Output = ()>) {
        let mut end = pin!(end);
        loop {
            let places = self.places.clone();
            tokio::select! {
                () = &mut end => return,
                // Finished tasks are taken away as they come, or their results would pile up.
                Some(_) = self.tasks.join_next() => {}
                Some((place, (stream, peer))) = next(places, listener) => {
                    let connection = self.connections.open(stream, peer);
                    let watched = self.graceful.watch(connection);
                    self.tasks.spawn(self.connections.keep(watched, place));
                }
            }
        }
    }
}

/// The next client, once there is a place for it.
async fn next(
    places: Arc<Semaphore>,
    listener: &TcpListener,
) -> Option<(OwnedSemaphorePermit, accept::Client)> {
    let place = places.acquire_owned().await.ok()?;
    Some((place, accept::accept(|| listener.accept()).await))
}
