//! Activities of users in turn, several per transaction.

use std::time::Instant;

use anyhow::Result;
use futures_util::future::try_join;

use super::ledger::{Columns, Ledger};
use super::{Worker, begin, now_micros};

/// Records until the given time. Returns the number of activities.
pub(super) async fn record(mut worker: Worker, until: Instant) -> Result<usize> {
    let ledger = Ledger::prepare(&worker.client).await?;
    let mut count = 0;
    while Instant::now() < until {
        let mut columns = Columns::default();
        for user in worker.turns.next(worker.per_transaction) {
            columns.push(&user, worker.ids.next()?, now_micros()?, 10)?;
        }
        let Worker { client, tenant, .. } = &worker;
        let ((), states) = try_join(begin(client), ledger.hold(client, tenant, &columns)).await?;
        ledger.write(client, tenant, &columns, &states).await?;
        client.batch_execute("COMMIT").await?;
        count += worker.per_transaction;
    }
    Ok(count)
}
