//! Sends a read on a shared connection as one unit: a transaction with a single statement.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use futures_util::future::join3;
use tokio_postgres::RowStream;
use tokio_postgres::types::ToSql;

use super::transaction::SET_TENANT;
use super::{Connection, Params};
use crate::postgres::error::Outcome;

/// The transaction around each statement on a shared connection. Row-level security requires that it names the tenant.
#[derive(Clone)]
pub(crate) struct Unit {
    pub(crate) begin: Arc<str>,
    pub(crate) tenant: Arc<str>,
}

impl Connection {
    /// Sends BEGIN, the tenant, the statement and ROLLBACK without another statement in between. Returns a stream of the
    /// statement's rows.
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
        // The first poll of each future sends its statement.
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
