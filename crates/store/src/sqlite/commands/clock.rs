//! Loads and saves the virtual clock of a tenant.

use pointbook_domain::{ClockOffset, Timestamp};
use rusqlite::{OptionalExtension, Transaction, params};

use crate::commands::{ClockChange, Facts, Needs};
use crate::schema::{ColumnAt, Dialect, TABLES, find_event_after};
use crate::sqlite::error::Outcome;
use crate::sqlite::row;
use crate::sqlite::row::{missing, wrong};

pub(super) fn load(
    database: &Transaction<'_>,
    tenant: &str,
    needs: &Needs,
    facts: &mut Facts,
) -> Outcome<()> {
    if needs.clock {
        let select = "SELECT id, clock_offset FROM tenants WHERE id = ?1 ORDER BY id";
        let found: Option<(ColumnAt, ClockOffset)> = row::one_of(("tenants", 1), database, select, [tenant])?;
        let (_, offset) = found.ok_or_else(|| missing("tenants", tenant))?;
        facts.put_clock(offset);
    }
    if let Some(at) = needs.events_after {
        facts.put_events_after(at, has_events_after(database, tenant, at)?);
    }
    Ok(())
}

fn has_events_after(database: &Transaction<'_>, tenant: &str, at: Timestamp) -> Outcome<bool> {
    for select in TABLES.iter().filter_map(|table| find_event_after(Dialect::Sqlite, table)) {
        let found = database.query_row(&select, params![tenant, at.as_micros()], |_| Ok(())).optional()?;
        if found.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Sets the clock and makes all jobs of the tenant due. The guard is a second line of defence, because the transaction holds the
/// write lock.
pub(super) fn save(database: &Transaction<'_>, tenant: &str, change: &ClockChange) -> Outcome<()> {
    let ClockChange { before, after, jobs_due_at } = change;
    let update = "UPDATE tenants SET clock_offset = ?3 WHERE id = ?1 AND clock_offset = ?2";
    if database.execute(update, params![tenant, before.as_micros(), after.as_micros()])? != 1 {
        return Err(wrong("tenants", tenant, "has another clock now"));
    }
    make_jobs_due(database, tenant, *jobs_due_at)
}

/// Does not disturb runs in progress: `jobs::schedule` explains the stored time.
fn make_jobs_due(database: &Transaction<'_>, tenant: &str, at: Timestamp) -> Outcome<()> {
    database.execute(
        "UPDATE jobs SET next_run_at = CASE WHEN lease_ends_at <= ?2 THEN lease_ends_at - 1 ELSE ?2 END
         WHERE tenant_id = ?1 AND (next_run_at > ?2 OR next_run_at = lease_ends_at)",
        params![tenant, at.as_micros()],
    )?;
    Ok(())
}
