//! Reads of one statement that are transactions, in one piece.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use futures_util::future::join3;
use tokio_postgres::RowStream;
use tokio_postgres::types::ToSql;

use super::transaction::SET_TENANT;
use super::{Connection, Params};
use crate::error::Outcome;

/// What stands around each statement of a shared connection whose rows are shown to a transaction that names their
/// tenant.
#[derive(Clone)]
pub(crate) struct Unit {
    pub(crate) begin: Arc<str>,
    pub(crate) tenant: Arc<str>,
}

impl Connection {
    /// Sends beginning, tenant, statement and end without a pause, so that no other statement is between them, and
    /// gives the statement's rows as they come.
    pub(super) async fn send_unit(&self, unit: &Unit, sql: &str, params: Params<'_>) -> Outcome<RowStream> {
        let client = self.lease.client();
        let (name, statement) = (client.prepare_cached(SET_TENANT).await?, client.prepare_cached(sql).await?);
        let (tenant, values) = (&*unit.tenant, params.iter().map(|&value| value as &(dyn ToSql + Sync)));
        let named: &[&(dyn ToSql + Sync)] = &[&tenant];
        let mut read = pin!(join3(
            client.batch_execute(&unit.begin),
            client.query(&name, named),
            client.query_raw(&statement, values),
        ));
        let mut ended = pin!(client.batch_execute("ROLLBACK"));
        // The first poll of each sends it.
        let first = poll_fn(|context| {
            let _sending = self.lease.sending();
            let read = read.as_mut().poll(context);
            let _ = ended.as_mut().poll(context);
            Poll::Ready(read)
        });
        let (begun, named, rows) = match first.await {
            Poll::Ready(read) => read,
            Poll::Pending => read.await,
        };
        begun?;
        named?;
        Ok(rows?)
    }
}
