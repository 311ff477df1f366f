//! The connection pool.

use std::sync::Arc;
use std::time::Duration;

use deadpool::{Runtime, managed};
use pointbook_domain::Timestamp;
use tokio_postgres::Config;

use self::lease::HeldConnection;
use self::manager::Manager;
use self::ping::Pinger;
use self::shared::{SHARED_READ_TIMEOUT, Shared};
use crate::postgres::connection::{Connection, SendOptions, Unit};
use crate::postgres::error::{ConnectError, NoConnection, Outcome};
use crate::postgres::url::PostgresUrl;

mod hosts;
mod lease;
mod manager;
mod ping;
mod shared;

pub(crate) use self::lease::Lease;
pub(crate) use self::shared::READS_ON_A_CONNECTION;

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

/// The options for the use of a PostgreSQL database.
#[derive(Debug, Clone, Copy)]
pub struct PostgresOptions {
    /// The current time, which is recorded with new migrations.
    pub now: Timestamp,
    pub max_connections: usize,
    /// Whether short reads share a quarter of the connections. Then they do not wait for a connection.
    pub shares_reads: bool,
    /// The timeout for getting a connection, and for each host while one is opened. A `connect_timeout` in the URL replaces
    /// it for the hosts, unless it is 0.
    pub connect_timeout_ms: u64,
    /// The timeout for each response of the server; `None` for no timeout. The server cancels a statement a little earlier,
    /// so that it can report it.
    pub operation_timeout_ms: Option<u64>,
    /// How long a statement waits for a row that another transaction has locked.
    pub lock_timeout_ms: u32,
    /// How long work that conflicts with other transactions is retried.
    pub retry_for_ms: u64,
}

/// How long a transaction may be idle when there is no operation timeout.
const MAX_IDLE_MS: u64 = 60_000;

/// The most connections that short reads share. A read scans all of them for the one with the fewest reads.
const MAX_SHARED: usize = 16;

impl PostgresOptions {
    pub fn new(now: Timestamp) -> Self {
        Self {
            now,
            max_connections: 16,
            shares_reads: true,
            connect_timeout_ms: 3_000,
            operation_timeout_ms: Some(10_000),
            lock_timeout_ms: 1_000,
            retry_for_ms: 5_000,
        }
    }

    /// The options for a command line: no operation timeout, retries for half a minute, and no shared connections, because
    /// commands run few short reads.
    #[must_use]
    pub fn patient(self) -> Self {
        Self { operation_timeout_ms: None, retry_for_ms: 30_000, shares_reads: false, ..self }
    }

    /// A quarter of all connections: 4 of the default 16.
    pub(super) fn shared_connections(&self) -> usize {
        if self.shares_reads { (self.max_connections / 4).min(MAX_SHARED) } else { 0 }
    }

    pub(crate) fn retry_for(&self) -> Duration {
        Duration::from_millis(self.retry_for_ms)
    }

    pub(crate) fn connect_timeout(&self) -> Duration {
        Duration::from_millis(self.connect_timeout_ms)
    }

    pub(super) fn host_timeout(&self, config: &Config) -> Duration {
        config.get_connect_timeout().copied().unwrap_or_else(|| self.connect_timeout())
    }

    pub(super) fn operation_timeout(&self) -> Option<Duration> {
        self.operation_timeout_ms.map(Duration::from_millis)
    }

    /// The statement timeout of the server, in milliseconds; 0 for none. It is four fifths of the client's timeout, so that
    /// the client receives the error.
    pub(crate) fn statement_timeout_ms(&self) -> u64 {
        self.operation_timeout_ms.map_or(0, |timeout| (timeout - timeout / 5).max(1))
    }

    /// The timeout of the server for an idle transaction, in milliseconds. There always is one, because a client can vanish
    /// while other transactions wait for its locks.
    pub(crate) fn idle_timeout_ms(&self) -> u64 {
        self.operation_timeout_ms.unwrap_or(MAX_IDLE_MS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::postgres::url::PostgresUrl;

    fn config(url: &str) -> Config {
        PostgresUrl::parse(url).unwrap().config().unwrap()
    }

    #[test]
    fn quarter_of_connections_is_shared_but_none_for_commands() {
        let of =
            |max_connections| PostgresOptions { max_connections, ..PostgresOptions::new(Timestamp::MIN) };
        assert_eq!([2, 16, 1_000].map(|most| of(most).shared_connections()), [0, 4, 16]);
        assert_eq!(of(16).patient().shared_connections(), 0);
    }

    #[test]
    fn host_always_has_timeout() {
        for (given, seconds) in [("", 3), ("?connect_timeout=1", 1), ("?connect_timeout=0", 3)] {
            let config = config(&format!("postgres://me@a/points{given}"));
            let limit = PostgresOptions::new(Timestamp::MIN).host_timeout(&config);
            assert_eq!(limit, Duration::from_secs(seconds), "{given}");
        }
    }
}
