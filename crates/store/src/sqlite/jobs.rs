//! The background jobs of all tenants.

use async_trait::async_trait;
use pointbook_domain::{TenantId, Timestamp};
use rusqlite::{Connection, Transaction, params};

use crate::ports::{JobCounts, JobId, JobStore, Lease, RunEnd, StoreResult, StoredJob};
use crate::select;
use crate::sqlite::error::Outcome;
use crate::sqlite::row;
use crate::sqlite::store::SqliteStore;
use crate::sqlite::writer::{SERVICE, SharedCommit};

#[async_trait]
impl JobStore for SqliteStore {
    async fn due_jobs(&self, names: &[&str], now: Timestamp, limit: u32) -> StoreResult<Vec<JobId>> {
        self.access.read("due_jobs", |database| due(database, names, now, limit))
    }

    async fn recurring_jobs(&self) -> StoreResult<Vec<JobId>> {
        self.access.read_in_background("recurring_jobs", None, recurring).await
    }

    async fn count_jobs(&self, late_before: Timestamp, now: Timestamp) -> StoreResult<JobCounts> {
        let count = move |database: &Connection| count_all(database, late_before, now);
        self.access.read_in_background("count_jobs", None, count).await
    }

    async fn jobs_of(&self, tenant: &TenantId, limit: u32) -> StoreResult<Vec<StoredJob>> {
        self.access.read("jobs_of", |database| of_tenant(database, tenant, limit))
    }

    async fn schedule_job(&self, id: &JobId, at: Timestamp) -> StoreResult<()> {
        let id = id.clone();
        self.access
            .write("schedule_job", SERVICE, move |database| {
                schedule(database, id.tenant.as_str(), (&id.name, &id.key), at)
            })
            .await
    }

    async fn lease_job(
        &self,
        id: &JobId,
        lease: &Lease,
        due_by: Timestamp,
        now: Timestamp,
    ) -> StoreResult<Option<u32>> {
        let (id, wanted) = (id.clone(), lease.clone());
        let take = move |database: &SharedCommit<'_>| lease_due(database, &id, &wanted, due_by, now);
        self.access.write("lease_job", SERVICE, take).await
    }

    async fn renew_lease(&self, id: &JobId, lease: &Lease, ends_at: Timestamp) -> StoreResult<bool> {
        let (id, lease) = (id.clone(), lease.clone());
        let renew = move |database: &SharedCommit<'_>| renew(database, &id, &lease, ends_at);
        self.access.write("renew_lease", SERVICE, renew).await
    }

    async fn end_run(&self, id: &JobId, lease: &Lease, end: &RunEnd) -> StoreResult<bool> {
        let (id, lease, end) = (id.clone(), lease.clone(), end.clone());
        let write = move |database: &SharedCommit<'_>| end_run(database, &id, &lease, &end);
        self.access.write("end_run", SERVICE, write).await
    }
}

fn due(database: &Connection, names: &[&str], now: Timestamp, limit: u32) -> Outcome<Vec<JobId>> {
    let select = select!(
        JobId,
        "AS of_all_tenants
                  WHERE next_run_at <= ?1 AND (lease_ends_at IS NULL OR lease_ends_at <= ?1)
                      AND name IN (SELECT value FROM json_each(?2))
                  ORDER BY next_run_at, tenant_id, name, key LIMIT ?3"
    );
    let names = names.iter().copied().collect::<serde_json::Value>().to_string();
    row::all(database, select, params![now.as_micros(), names, limit])
}

fn recurring(database: &Connection) -> Outcome<Vec<JobId>> {
    let select = select!(JobId, "AS of_all_tenants WHERE key = '' ORDER BY tenant_id, name");
    row::all(database, select, [])
}

fn count_all(database: &Connection, late_before: Timestamp, now: Timestamp) -> Outcome<JobCounts> {
    let late = "SELECT count(*) FROM jobs AS of_all_tenants
                WHERE next_run_at < ?1 AND (lease_ends_at IS NULL OR lease_ends_at <= ?2)";
    let failing = "SELECT count(*) FROM jobs AS of_all_tenants WHERE last_error IS NOT NULL";
    Ok(JobCounts {
        late: row::count("jobs", database, late, params![late_before.as_micros(), now.as_micros()])?,
        failing: row::count("jobs", database, failing, [])?,
    })
}

fn of_tenant(database: &Connection, tenant: &TenantId, limit: u32) -> Outcome<Vec<StoredJob>> {
    let select = select!(StoredJob, "WHERE tenant_id = ?1 ORDER BY name, key LIMIT ?2");
    row::all(database, select, params![tenant.as_str(), limit])
}

/// Schedules a job without disturbing a run in progress. The stored time differs from the end of the lease. So the end of
/// the run can recognize that time and keep it.
pub(crate) fn schedule(
    database: &Transaction<'_>,
    tenant: &str,
    (name, key): (&str, &str),
    at: Timestamp,
) -> Outcome<()> {
    let mut upsert = database.prepare_cached(
        "INSERT INTO jobs (tenant_id, name, key, next_run_at, attempts) VALUES (?1, ?2, ?3, ?4, 0)
         ON CONFLICT (tenant_id, name, key) DO UPDATE SET next_run_at =
             CASE WHEN jobs.lease_ends_at <= excluded.next_run_at THEN jobs.lease_ends_at - 1
                  ELSE excluded.next_run_at END
         WHERE jobs.next_run_at > excluded.next_run_at OR jobs.next_run_at = jobs.lease_ends_at",
    )?;
    upsert.execute(params![tenant, name, key, at.as_micros()])?;
    Ok(())
}

fn lease_due(
    database: &Transaction<'_>,
    id: &JobId,
    lease: &Lease,
    due_by: Timestamp,
    now: Timestamp,
) -> Outcome<Option<u32>> {
    let update =
        "UPDATE jobs SET lease_owner = ?4, lease_ends_at = ?5, next_run_at = ?5, attempts = attempts + 1
         WHERE tenant_id = ?1 AND name = ?2 AND key = ?3 AND next_run_at <= ?6
             AND (lease_ends_at IS NULL OR lease_ends_at <= ?7)
         RETURNING attempts";
    let (ends_at, due_by, now) = (lease.ends_at.as_micros(), due_by.as_micros(), now.as_micros());
    let (tenant, owner) = (id.tenant.as_str(), &lease.owner);
    let values = params![tenant, id.name, id.key, owner, ends_at, due_by, now];
    let leased: Option<(u32,)> = row::one_of(("jobs", 0), database, update, values)?;
    Ok(leased.map(|(attempts,)| attempts))
}

/// Keeps a `next_run_at` that differs from the end of the lease, as [`succeed`] does.
fn renew(database: &Transaction<'_>, id: &JobId, lease: &Lease, ends_at: Timestamp) -> Outcome<bool> {
    let mut update = database.prepare_cached(
        "UPDATE jobs SET lease_ends_at = ?6,
             next_run_at = CASE WHEN next_run_at = lease_ends_at THEN ?6 ELSE next_run_at END
         WHERE tenant_id = ?1 AND name = ?2 AND key = ?3 AND lease_owner = ?4 AND lease_ends_at = ?5",
    )?;
    let (tenant, before) = (id.tenant.as_str(), lease.ends_at.as_micros());
    Ok(update.execute(params![tenant, id.name, id.key, lease.owner, before, ends_at.as_micros()])? == 1)
}

fn end_run(database: &Transaction<'_>, id: &JobId, lease: &Lease, end: &RunEnd) -> Outcome<bool> {
    match end {
        RunEnd::Failed { error, next_run_at } => fail(database, id, lease, error, *next_run_at),
        RunEnd::Succeeded { at, next_run_at: Some(next) } => succeed(database, id, lease, *at, *next),
        // A job that was scheduled during the run stays.
        RunEnd::Succeeded { at, next_run_at: None } => {
            Ok(remove(database, id, lease)? || succeed(database, id, lease, *at, Timestamp::MAX)?)
        }
    }
}

fn fail(
    database: &Transaction<'_>,
    id: &JobId,
    lease: &Lease,
    error: &str,
    next_run_at: Timestamp,
) -> Outcome<bool> {
    let mut update = database.prepare_cached(
        "UPDATE jobs SET next_run_at = ?6, last_error = ?7, lease_owner = NULL, lease_ends_at = NULL
         WHERE tenant_id = ?1 AND name = ?2 AND key = ?3 AND lease_owner = ?4 AND lease_ends_at = ?5",
    )?;
    let (tenant, ends_at) = (id.tenant.as_str(), lease.ends_at.as_micros());
    let (owner, next) = (&lease.owner, next_run_at.as_micros());
    Ok(update.execute(params![tenant, id.name, id.key, owner, ends_at, next, error])? == 1)
}

/// Keeps an earlier `next_run_at` that differs from the end of the lease: a call of [`schedule`] set it during the run.
fn succeed(
    database: &Transaction<'_>,
    id: &JobId,
    lease: &Lease,
    at: Timestamp,
    next_run_at: Timestamp,
) -> Outcome<bool> {
    let mut update = database.prepare_cached(
        "UPDATE jobs SET
             next_run_at = CASE WHEN next_run_at = lease_ends_at OR next_run_at > ?6 THEN ?6 ELSE next_run_at END,
             attempts = 0, last_error = NULL, last_success_at = ?7, lease_owner = NULL, lease_ends_at = NULL
         WHERE tenant_id = ?1 AND name = ?2 AND key = ?3 AND lease_owner = ?4 AND lease_ends_at = ?5",
    )?;
    let (tenant, ends_at) = (id.tenant.as_str(), lease.ends_at.as_micros());
    let (owner, next, at) = (&lease.owner, next_run_at.as_micros(), at.as_micros());
    Ok(update.execute(params![tenant, id.name, id.key, owner, ends_at, next, at])? == 1)
}

fn remove(database: &Transaction<'_>, id: &JobId, lease: &Lease) -> Outcome<bool> {
    let mut delete = database.prepare_cached(
        "DELETE FROM jobs WHERE tenant_id = ?1 AND name = ?2 AND key = ?3 AND lease_owner = ?4
             AND lease_ends_at = ?5 AND next_run_at = ?5",
    )?;
    let (tenant, ends_at) = (id.tenant.as_str(), lease.ends_at.as_micros());
    Ok(delete.execute(params![tenant, id.name, id.key, lease.owner, ends_at])? == 1)
}
