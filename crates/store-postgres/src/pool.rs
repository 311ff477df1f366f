//! The connections, and how they are opened.

use std::time::Duration;

use deadpool_postgres::{Manager, ManagerConfig, RecyclingMethod, Runtime};
use pointbook_domain::Timestamp;
use tokio_postgres::NoTls;

use crate::connection::Connection;
use crate::error::{ConnectError, Outcome, StoreFailure};
use crate::url::PostgresUrl;

/// How a PostgreSQL database is used.
#[derive(Debug, Clone, Copy)]
pub struct PostgresOptions {
    /// When it is opened: the time that new migrations are recorded with.
    pub now: Timestamp,
    /// The most connections at once. Further work waits for one.
    pub max_connections: usize,
    /// For how long a connection is waited for, in milliseconds.
    pub connect_timeout_ms: u64,
    /// For how long a statement waits for a row that another transaction holds, in milliseconds.
    pub lock_timeout_ms: u32,
    /// For how long work that other transactions stand in the way of is tried again, in milliseconds.
    pub retry_for_ms: u64,
}

impl PostgresOptions {
    /// The defaults: 16 connections, each waited for 3 seconds; a lock 1 second; work is given up after
    /// some 5 seconds.
    pub fn new(now: Timestamp) -> Self {
        Self {
            now,
            max_connections: 16,
            connect_timeout_ms: 3_000,
            lock_timeout_ms: 1_000,
            retry_for_ms: 5_000,
        }
    }
}

/// Connections to one database, opened when they are needed.
pub(crate) struct Pool {
    connections: deadpool_postgres::Pool,
}

impl Pool {
    /// Opens nothing yet.
    pub(crate) fn new(url: &PostgresUrl, options: &PostgresOptions) -> Result<Self, ConnectError> {
        let timeout = Duration::from_millis(options.connect_timeout_ms);
        let mut config = url.config()?;
        config.application_name("pointbook").connect_timeout(timeout);
        let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let connections = deadpool_postgres::Pool::builder(Manager::from_config(config, NoTls, recycling))
            .max_size(options.max_connections)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(timeout))
            .create_timeout(Some(timeout))
            .build()
            .map_err(|error| ConnectError::Failed(error.to_string()))?;
        Ok(Self { connections })
    }

    /// A connection for one operation.
    pub(crate) async fn connection(&self) -> Outcome<Connection> {
        self.connections.get().await.map(Connection::new).map_err(StoreFailure::NoConnection)
    }
}
