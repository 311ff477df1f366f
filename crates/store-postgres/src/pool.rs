//! The connections, and how they are opened.

mod hosts;
mod lease;
mod manager;
mod options;
mod ping;
mod shared;

use std::sync::Arc;

use deadpool::Runtime;
use deadpool::managed;

use self::lease::Held;
pub(crate) use self::lease::Lease;
use self::manager::Manager;
pub use self::options::PostgresOptions;
use self::ping::Pinger;
pub(crate) use self::shared::READS_ON_A_CONNECTION;
use self::shared::{PATIENCE, Shared};
use crate::connection::{Connection, Sending, Unit};
use crate::error::{ConnectError, NoConnection, Outcome};
use crate::url::PostgresUrl;

pub(crate) struct Pool {
    connections: managed::Pool<Manager>,
    /// Those that short reads share, where that is possible.
    shared: Option<Arc<Shared>>,
    /// How many connections short reads share at most.
    max_shared: usize,
    sending: Sending,
    pinger: Pinger,
}

impl Pool {
    pub(crate) fn new(url: &PostgresUrl, options: &PostgresOptions) -> Result<Self, ConnectError> {
        let sending =
            Sending { is_prepared: url.prepares_statements(), answer_within: options.operation_timeout() };
        // A pooler gives each transaction another connection, and may not take a second question before it answered.
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

    /// Whether the server takes writes. Fails when it does not respond. Shows the use of the pool, since the service
    /// asks again and again.
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

    /// Fails at once while the server is known not to respond.
    pub(crate) async fn connection(&self) -> Outcome<Connection> {
        if self.pinger.refuses() {
            return Err(NoConnection::Away.into());
        }
        let pooled = self.connections.get().await.map_err(NoConnection::from)?;
        Ok(Connection::new(Lease::new(Held::Alone(pooled)), self.sending, None))
    }

    /// A connection for one short read by a single statement, which others read over too; none while none is open.
    pub(crate) fn shared_connection(&self, unit: Option<Unit>) -> Option<Connection> {
        let shared = self.shared.as_ref().filter(|_| !self.pinger.refuses())?;
        let shared_read = shared.shared_read()?;
        let answer_within = self.sending.answer_within.map_or(PATIENCE, |limit| limit.min(PATIENCE));
        let sending = Sending { answer_within: Some(answer_within), ..self.sending };
        Some(Connection::new(Lease::new(Held::Shared(shared_read)), sending, unit))
    }

    /// To be called when the database is known to be there.
    pub(crate) fn open_shared(&self) {
        if let Some(shared) = &self.shared {
            shared.open_one();
        }
    }

    pub(crate) fn max_shared(&self) -> usize {
        self.max_shared
    }

    /// How many connections the pool has beside those.
    pub(crate) fn max_alone(&self) -> usize {
        self.connections.status().max_size
    }
}
