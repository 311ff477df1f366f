//! Loads and saves the virtual clock of a tenant.

use pointbook_domain::{ClockOffset, Timestamp};

use crate::commands::{ClockChange, Facts, Needs};
use crate::postgres::connection::Transaction;
use crate::postgres::error::{Outcome, StoreFailure};
use crate::postgres::row::missing;
use crate::schema::{ColumnAt, Dialect, TABLES, find_event_after};

pub(super) async fn load(
    database: &Transaction,
    tenant: &str,
    needs: &Needs,
    facts: &mut Facts,
) -> Outcome<()> {
    if needs.clock {
        let select = "SELECT id, clock_offset FROM tenants WHERE id = $1 ORDER BY id";
        let found: Option<(ColumnAt, ClockOffset)> =
            database.one_of(("tenants", 1), select, &[&tenant]).await?;
        let (_, offset) = found.ok_or_else(|| missing("tenants", tenant))?;
        facts.put_clock(offset);
    }
    if let Some(at) = needs.events_after {
        facts.put_events_after(at, has_events_after(database, tenant, at).await?);
    }
    Ok(())
}

async fn has_events_after(database: &Transaction, tenant: &str, at: Timestamp) -> Outcome<bool> {
    for select in TABLES.iter().filter_map(|table| find_event_after(Dialect::Postgres, table)) {
        if database.row(&select, &[&tenant, &at.as_micros()]).await?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Sets the clock and makes all jobs of the tenant due. Runs in progress continue: `due_job::schedule` explains the stored time.
/// Fails as overtaken when another transaction has set the clock meanwhile.
pub(super) async fn save(database: &Transaction, tenant: &str, change: Option<&ClockChange>) -> Outcome<()> {
    let Some(ClockChange { before, after, jobs_due_at }) = change else { return Ok(()) };
    let update = "UPDATE tenants SET clock_offset = $3 WHERE id = $1 AND clock_offset = $2";
    if database.execute(update, &[&tenant, &before.as_micros(), &after.as_micros()]).await? != 1 {
        return Err(StoreFailure::Overtaken);
    }
    let make_due =
        "UPDATE jobs SET next_run_at = CASE WHEN lease_ends_at <= $2 THEN lease_ends_at - 1 ELSE $2 END
         WHERE tenant_id = $1 AND (next_run_at > $2 OR next_run_at = lease_ends_at)";
    database.execute(make_due, &[&tenant, &jobs_due_at.as_micros()]).await.map(drop)
}
