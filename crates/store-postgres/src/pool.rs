//! The connections, and how they are opened.

mod abandoned;
mod lease;
mod manager;
mod options;

use deadpool::Runtime;
use deadpool::managed;

pub(crate) use self::lease::Lease;
use self::manager::Manager;
pub use self::options::PostgresOptions;
use crate::connection::{Connection, Sending};
use crate::error::{ConnectError, Outcome, StoreFailure};
use crate::url::PostgresUrl;

/// Connections to one database, opened when they are needed.
pub(crate) struct Pool {
    connections: managed::Pool<Manager>,
    sending: Sending,
}

impl Pool {
    /// Opens nothing yet.
    pub(crate) fn new(url: &PostgresUrl, options: &PostgresOptions) -> Result<Self, ConnectError> {
        let config = options.config(url)?;
        let create_timeout = options::create_timeout(&config);
        let answer_within = options.operation_timeout();
        let sending = Sending { is_prepared: url.prepares_statements(), answer_within };
        let connections = managed::Pool::builder(Manager::new(config, url)?)
            .max_size(options.max_connections)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(options.connect_timeout()))
            .create_timeout(create_timeout)
            .build()
            .map_err(|error| ConnectError::Failed(error.to_string()))?;
        Ok(Self { connections, sending })
    }

    /// A connection for one operation.
    pub(crate) async fn connection(&self) -> Outcome<Connection> {
        let pooled = self.connections.get().await.map_err(StoreFailure::NoConnection)?;
        Ok(Connection::new(Lease::new(pooled), self.sending))
    }
}
