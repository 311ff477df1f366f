//! Rows that commands hold until the end of their transaction.

use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use crate::connection::Transaction;
use crate::error::Outcome;
use crate::value::Typed;

/// What a transaction does about rows that another one holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hold {
    /// It waits for them.
    Waiting,
    /// It leaves them out.
    Skipping,
}

/// The statements that lock the rows of a group, for [`Hold::rows`].
macro_rules! locking {
    ($group:ty, $which:literal) => {
        [select!($group, $which), select!($group, concat!($which, " SKIP LOCKED"))]
    };
}
pub(crate) use locking;

impl Hold {
    /// Locks the rows with these keys; asks for nothing without a key.
    pub(crate) async fn rows<K: Typed + ToSql + Sync>(
        self,
        database: &Transaction,
        tenant: &str,
        [waiting, skipping]: [&'static str; 2],
        keys: Vec<K>,
    ) -> Outcome<Vec<Row>> {
        let select = if self == Self::Waiting { waiting } else { skipping };
        database.rows_by(select, tenant, keys).await
    }
}
