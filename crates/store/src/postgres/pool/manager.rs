//! Opens connections, and decides which of them stay in the pool.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use deadpool::managed;
use deadpool::managed::{Metrics, RecycleError, RecycleResult};
use deadpool_postgres::ClientWrapper;
use tokio_postgres_rustls::MakeRustlsConnect;

use super::PostgresOptions;
use super::hosts::Hosts;
use crate::postgres::error::{ConnectError, Lost, NoHost};
use crate::postgres::url::PostgresUrl;

pub(super) struct Manager {
    hosts: Hosts,
    tls: MakeRustlsConnect,
    generation: Generation,
}

/// Counts how often all open connections became unusable.
type Generation = Arc<AtomicU64>;

impl Manager {
    pub(super) fn new(options: &PostgresOptions, url: &PostgresUrl) -> Result<Self, ConnectError> {
        let config = url.config()?;
        let hosts = Hosts::new(&config, options.host_timeout(&config))?;
        Ok(Self { hosts, tls: url.tls()?, generation: Generation::default() })
    }

    pub(super) fn wants_primary(&self) -> bool {
        self.hosts.wants_primary
    }
}

impl managed::Manager for Manager {
    type Type = Pooled;
    type Error = NoHost;

    /// Opens a connection, which closes on drop. Its statements get the error that ended it.
    async fn create(&self) -> Result<Pooled, NoHost> {
        // Read before the connection opens: a failure that is found meanwhile may concern it too.
        let opened_in = self.generation.load(Ordering::Relaxed);
        // Boxed, because the driver's future is large.
        let (client, connection) = Box::pin(self.hosts.connect(&self.tls)).await?;
        let at_work = tokio::spawn(async move {
            let _ = connection.await;
        });
        Ok(Pooled {
            client: Arc::new(ClientWrapper::new(client, at_work)),
            tls: self.tls.clone(),
            generation: self.generation.clone(),
            opened_in,
            is_lost: AtomicBool::new(false),
        })
    }

    async fn recycle(&self, pooled: &mut Pooled, _: &Metrics) -> RecycleResult<NoHost> {
        if pooled.is_usable() { Ok(()) } else { Err(RecycleError::message("the connection is lost")) }
    }
}

pub(super) struct Pooled {
    client: Arc<ClientWrapper>,
    tls: MakeRustlsConnect,
    generation: Generation,
    opened_in: u64,
    is_lost: AtomicBool,
}

impl Pooled {
    pub(super) fn client(&self) -> &Arc<ClientWrapper> {
        &self.client
    }

    /// Asks the server to end the statement that runs on this connection, which then must not be used again.
    pub(super) async fn cancel(&self) {
        // If the server cannot be reached, the statement continues and its response never comes.
        let _ = self.client.cancel_token().cancel_query(self.tls.clone()).await;
    }

    /// Keeps this connection from being used again. For [`Lost::All`], also every other connection that is open now.
    pub(super) fn lose(&self, lost: Lost) {
        if lost != Lost::None {
            self.is_lost.store(true, Ordering::Relaxed);
        }
        if lost == Lost::All {
            // Only the first of several connections that find this out raises the generation.
            let (now, next) = (self.opened_in, self.opened_in + 1);
            let _ = self.generation.compare_exchange(now, next, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    /// Whether the connection may be used again.
    pub(super) fn is_usable(&self) -> bool {
        !self.is_lost() && !self.client.is_closed()
    }

    /// Whether the connection was found to be unusable.
    pub(super) fn is_lost(&self) -> bool {
        self.is_lost.load(Ordering::Relaxed) || self.opened_in != self.generation.load(Ordering::Relaxed)
    }
}
