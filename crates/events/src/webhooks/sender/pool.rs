use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::webhooks::sender::connection::Connection;
use crate::webhooks::sender::receiver_url::{ReceiverUrl, Scheme};

/// Connections between two requests, the longest idle first.
///
/// A connection is taken only for its scheme, host and address, and only when the address is among those that were resolved and
/// checked for the present request. So a change of the policy or of the host's addresses also ends the use of old connections.
pub(crate) struct Pool {
    idle: Mutex<VecDeque<Idle>>,
    connections_max: usize,
    idle_max: Duration,
}

struct Idle {
    target: Target,
    connection: Connection,
    since: Instant,
}

/// What a connection is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    scheme: Scheme,
    /// The name in the certificate of the receiver, and in the header `host`.
    host: String,
    address: SocketAddr,
}

impl Target {
    pub(crate) fn new(url: &ReceiverUrl, address: SocketAddr) -> Self {
        Self { scheme: url.scheme, host: url.host.clone(), address }
    }

    fn serves(&self, url: &ReceiverUrl, checked: &[SocketAddr]) -> bool {
        self.scheme == url.scheme && self.host == url.host && checked.contains(&self.address)
    }
}

impl Pool {
    pub(crate) fn new(connections_max: usize, idle_max: Duration) -> Self {
        Self { idle: Mutex::default(), connections_max, idle_max }
    }

    /// The connection for `url` that was used last. `checked` has the addresses of this request.
    pub(crate) fn take(&self, url: &ReceiverUrl, checked: &[SocketAddr]) -> Option<(Target, Connection)> {
        let mut idle = self.lock();
        self.drop_unusable(&mut idle);
        let index = idle.iter().rposition(|entry| entry.target.serves(url, checked))?;
        idle.remove(index).map(|entry| (entry.target, entry.connection))
    }

    /// The longest idle connection leaves a full pool.
    pub(crate) fn put(&self, target: Target, connection: Connection) {
        let mut idle = self.lock();
        idle.push_back(Idle { target, connection, since: Instant::now() });
        self.drop_unusable(&mut idle);
        let excess = idle.len().saturating_sub(self.connections_max);
        idle.drain(..excess);
    }

    pub(crate) fn drop_expired(&self) {
        self.drop_unusable(&mut self.lock());
    }

    fn drop_unusable(&self, idle: &mut VecDeque<Idle>) {
        idle.retain(|entry| entry.since.elapsed() < self.idle_max && !entry.connection.is_closed());
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Idle>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
