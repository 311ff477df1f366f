//! The database as a whole, and the handle of one tenant.

use std::sync::Arc;

use crate::access::Access;
use crate::error::ConnectError;
use crate::migrate;
use crate::pool::{Pool, PostgresOptions};

/// A PostgreSQL database with the tables of pointbook.
pub struct PostgresStore {
    pub(crate) access: Arc<Access>,
}

impl PostgresStore {
    /// Connects to a database whose schema is this program's.
    ///
    /// # Errors
    /// [`ConnectError`] says what is wrong, without the password of the URL.
    pub async fn connect(url: &str, options: &PostgresOptions) -> Result<Self, ConnectError> {
        let pool = Pool::new(url, options)?;
        migrate::check(&pool.connection().await?).await?;
        Ok(Self { access: Arc::new(Access::new(pool, options)) })
    }

    /// Brings a database's schema up to date; gives how many migrations it lacked. Two at once do the
    /// work of one.
    ///
    /// # Errors
    /// As [`Self::connect`]; [`ConnectError::OlderSchema`] is none here.
    pub async fn migrate(url: &str, options: &PostgresOptions) -> Result<usize, ConnectError> {
        let pool = Pool::new(url, options)?;
        migrate::to_newest(pool.connection().await?, options.now).await
    }
}

/// What is stored for one tenant. Every statement that runs through it carries the tenant's id.
pub(crate) struct PostgresTenant {
    pub(crate) access: Arc<Access>,
    pub(crate) id: Arc<str>,
}
