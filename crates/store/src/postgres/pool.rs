//! The connection pool.

mod hosts;
mod lease;
mod manager;
mod options;
mod ping;
mod shared;

use std::sync::Arc;

use deadpool::{Runtime, managed};

use self::lease::HeldConnection;
pub(crate) use self::lease::Lease;
use self::manager::Manager;
pub use self::options::PostgresOptions;
use self::ping::Pinger;
pub(crate) use self::shared::READS_ON_A_CONNECTION;
use self::shared::{SHARED_READ_TIMEOUT, Shared};
use crate::postgres::connection::{Connection, SendOptions, Unit};
use crate::postgres::error::{ConnectError, NoConnection, Outcome};
use crate::postgres::url::PostgresUrl;

pub(crate) struct Pool {
    connections: managed::Pool<Manager>,
    /// The connections that short reads share; `None` when the URL or the options do not allow that.
    shared: Option<Arc<Shared>>,
    /// The most connections that short reads share.
    max_shared: usize,
    sending: SendOptions,
    pinger: Pinger,
}

impl Pool {
    pub(crate) fn new(url: &PostgresUrl, options: &PostgresOptions) -> Result<Self, ConnectError> {
        let sending = SendOptions {
            is_prepared: url.prepares_statements(),
            response_timeout: options.operation_timeout(),
        };
        // A pooler gives each transaction another connection, and may not accept a statement before the last response.
        let max_shared = if sending.is_prepared { options.shared_connections() } else { 0 };
        let connections = managed::Pool::builder(Manager::new(options, url)?)
            .max_size(options.max_connections - max_shared)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(options.connect_timeout()))
            .build()
            .map_err(|error| ConnectError::Failed(error.to_string()))?;
        let shared = (max_shared > 0).then(|| Arc::new(Shared::new(connections.clone(), max_shared)));
        Ok(Self { connections, shared, max_shared, sending, pinger: Pinger::default() })
    }

    /// Whether the server accepts writes. Fails when it does not respond. Also updates the metrics of the pool, because the
    /// service calls this regularly.
    pub(crate) async fn ping(&self) -> Outcome<bool> {
        self.show_use();
        self.pinger.ping(self.connections.manager()).await
    }

    fn show_use(&self) {
        let managed::Status { max_size, size, available, waiting } = self.connections.status();
        for (name, count) in [
            ("pointbook_pool_connections", size),
            ("pointbook_pool_connections_max", max_size),
            ("pointbook_pool_connections_in_use", size.saturating_sub(available)),
            ("pointbook_pool_waiting", waiting),
        ] {
            metrics::gauge!(name).set(u32::try_from(count).unwrap_or(u32::MAX));
        }
    }

    /// A connection from the pool. Fails at once after a ping without a response.
    pub(crate) async fn connection(&self) -> Outcome<Connection> {
        if self.pinger.refuses() {
            return Err(NoConnection::Away.into());
        }
        let pooled = self.connections.get().await.map_err(NoConnection::from)?;
        Ok(Connection::new(Lease::new(HeldConnection::Alone(pooled)), self.sending, None))
    }

    /// A shared connection for one short read with a single statement; `None` when none is open.
    pub(crate) fn shared_connection(&self, unit: Option<Unit>) -> Option<Connection> {
        let shared = self.shared.as_ref().filter(|_| !self.pinger.refuses())?;
        let shared_read = shared.shared_read()?;
        let response_timeout =
            self.sending.response_timeout.map_or(SHARED_READ_TIMEOUT, |limit| limit.min(SHARED_READ_TIMEOUT));
        let sending = SendOptions { response_timeout: Some(response_timeout), ..self.sending };
        Some(Connection::new(Lease::new(HeldConnection::Shared(shared_read)), sending, unit))
    }

    /// Opens a shared connection. Call this only after the database has responded.
    pub(crate) fn open_shared(&self) {
        if let Some(shared) = &self.shared {
            shared.open_one();
        }
    }

    pub(crate) fn max_shared(&self) -> usize {
        self.max_shared
    }

    /// The most connections that are not shared.
    pub(crate) fn max_alone(&self) -> usize {
        self.connections.status().max_size
    }
}
