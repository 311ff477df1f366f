//! Makes a background job due.

use pointbook_domain::Timestamp;

use crate::postgres::connection::Transaction;
use crate::postgres::error::Outcome;

/// Schedules a job without disturbing a run in progress. The stored time differs from the end of the lease. So the end of the run can
/// recognize that time and keep it.
pub(crate) async fn schedule(
    database: &Transaction,
    tenant: &str,
    (name, key): (&str, &str),
    at: Timestamp,
) -> Outcome<()> {
    let upsert = "INSERT INTO jobs (tenant_id, name, key, next_run_at, attempts) VALUES ($1, $2, $3, $4, 0)
         ON CONFLICT (tenant_id, name, key) DO UPDATE SET next_run_at =
             CASE WHEN jobs.lease_ends_at <= excluded.next_run_at THEN jobs.lease_ends_at - 1
                  ELSE excluded.next_run_at END
         WHERE jobs.next_run_at > excluded.next_run_at OR jobs.next_run_at = jobs.lease_ends_at";
    database.execute(upsert, &[&tenant, &name, &key, &at.as_micros()]).await.map(drop)
}
