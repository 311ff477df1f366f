//! Which connections are opened, kept and thrown away.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use deadpool::managed::{self, Metrics, RecycleError, RecycleResult};
use deadpool_postgres::ClientWrapper;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio_postgres::tls::{MakeTlsConnect, TlsConnect};
use tokio_postgres::{NoTls, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::hosts::Hosts;
use super::options::PostgresOptions;
use crate::error::{ConnectError, Lost, NoHost};
use crate::url::PostgresUrl;

/// Opens connections.
pub(super) struct Manager {
    hosts: Hosts,
    tls: Option<MakeRustlsConnect>,
    generation: Generation,
}

/// Counts how often all connections that are open were found to lead nowhere.
type Generation = Arc<AtomicU64>;

impl Manager {
    pub(super) fn new(options: &PostgresOptions, url: &PostgresUrl) -> Result<Self, ConnectError> {
        let config = url.config()?;
        let hosts = Hosts::new(&config, options.host_timeout(&config))?;
        Ok(Self { hosts, tls: url.tls()?, generation: Generation::default() })
    }

    /// Whether only a server that takes writes will do.
    pub(super) fn wants_primary(&self) -> bool {
        self.hosts.wants_primary
    }
}

impl managed::Manager for Manager {
    type Type = Pooled;
    type Error = NoHost;

    async fn create(&self) -> Result<Pooled, NoHost> {
        // Before it is opened: what is found out meanwhile may be true of it too.
        let opened_in = self.generation.load(Ordering::Relaxed);
        let client = match &self.tls {
            Some(tls) => connect(&self.hosts, tls).await?,
            None => connect(&self.hosts, &NoTls).await?,
        };
        Ok(Pooled {
            client: Arc::new(client),
            tls: self.tls.clone(),
            generation: self.generation.clone(),
            opened_in,
            is_lost: AtomicBool::new(false),
        })
    }

    async fn recycle(&self, pooled: &mut Pooled, _: &Metrics) -> RecycleResult<NoHost> {
        if pooled.is_usable() { Ok(()) } else { Err(RecycleError::message("it leads nowhere")) }
    }
}

/// Opens a connection, which is closed when it is dropped. What ends it, its statements are told. Boxed, since the
/// future of the driver is deep.
fn connect<'h, T>(hosts: &'h Hosts, tls: &'h T) -> BoxFuture<'h, Result<ClientWrapper, NoHost>>
where
    T: MakeTlsConnect<Socket, Stream: Send + 'static> + Clone + Send + Sync,
    T::TlsConnect: TlsConnect<Socket, Future: Send> + Send,
{
    async move {
        let (client, connection) = hosts.connect(tls).await?;
        let at_work = tokio::spawn(async move {
            let _ = connection.await;
        });
        Ok(ClientWrapper::new(client, at_work))
    }
    .boxed()
}

/// An open connection.
pub(super) struct Pooled {
    client: Arc<ClientWrapper>,
    tls: Option<MakeRustlsConnect>,
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
        let cancel = self.client.cancel_token();
        // Where the server cannot be reached, the statement goes on, and its answer is waited for in vain.
        let _ = match &self.tls {
            Some(tls) => cancel.cancel_query(tls.clone()).await,
            None => cancel.cancel_query(NoTls).await,
        };
    }

    /// Sees to it that this connection is not used again, and neither are those opened before now where they
    /// have to be like it.
    pub(super) fn lose(&self, lost: Lost) {
        if lost != Lost::None {
            self.is_lost.store(true, Ordering::Relaxed);
        }
        if lost == Lost::All {
            // Of many that find it out, the first is enough.
            let (now, next) = (self.opened_in, self.opened_in + 1);
            let _ = self.generation.compare_exchange(now, next, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    /// Whether it may be used again.
    pub(super) fn is_usable(&self) -> bool {
        !self.is_lost() && !self.client.is_closed()
    }

    /// Whether it was found to lead nowhere.
    pub(super) fn is_lost(&self) -> bool {
        self.is_lost.load(Ordering::Relaxed) || self.opened_in != self.generation.load(Ordering::Relaxed)
    }
}
