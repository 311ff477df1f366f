//! The rows of a tenant as they were at one moment, for as long as somebody reads.

use pointbook_app::StoreResult;

use super::Access;
use crate::connection::Transaction;
use crate::error::Outcome;
use crate::retry::Attempts;

impl Access {
    /// A transaction that reads the rows of one tenant as they are now, for as long as it is held.
    pub(crate) async fn open_snapshot(
        &self,
        tenant: &str,
        operation: &'static str,
    ) -> StoreResult<Transaction> {
        let _timer = self.timings.start(operation);
        let mut attempts = Attempts::within(self.retry_for);
        loop {
            match self.try_open_snapshot(tenant).await {
                Err(failure) if attempts.go_on_after(&failure).await => {}
                outcome => return Ok(outcome?),
            }
        }
    }

    async fn try_open_snapshot(&self, tenant: &str) -> Outcome<Transaction> {
        let transaction = Transaction::on(self.pool.connection().await?);
        // It is the first query that fixes what is seen, and naming the tenant is one, needed or not.
        transaction.begin(&self.beginnings.snapshot, Some(tenant)).await?;
        Ok(transaction)
    }
}
