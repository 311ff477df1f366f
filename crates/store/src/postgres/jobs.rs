//! The background jobs of all tenants.

use async_trait::async_trait;
use pointbook_domain::{TenantId, Timestamp};

use crate::ports::{JobCounts, JobId, JobStore, Lease, RunEnd, StoreResult, StoredJob};
use crate::postgres::connection::{Params, Transaction};
use crate::postgres::due_job::schedule;
use crate::postgres::error::Outcome;
use crate::postgres::scoped::IntoScoped;
use crate::postgres::store::PostgresStore;
use crate::select;

/// The tenant that a transaction names to read the jobs of all tenants. A policy of the table allows that. No tenant has this
/// id.
const ALL_TENANTS: &str = "*";

#[async_trait]
impl JobStore for PostgresStore {
    async fn due_jobs(&self, names: &[&str], now: Timestamp, limit: u32) -> StoreResult<Vec<JobId>> {
        let select = select!(
            JobId,
            "AS of_all_tenants
             WHERE next_run_at <= $1 AND (lease_ends_at IS NULL OR lease_ends_at <= $1) AND name = ANY ($2)
             ORDER BY next_run_at, tenant_id, name, key LIMIT $3"
        );
        let params: Params<'_> = &[&now.as_micros(), &names, &i64::from(limit)];
        let access = self.access.of(ALL_TENANTS);
        access.read("due_jobs", |database| database.all(select, params).scoped()).await
    }

    async fn recurring_jobs(&self) -> StoreResult<Vec<JobId>> {
        let select = select!(JobId, "AS of_all_tenants WHERE key = '' ORDER BY tenant_id, name");
        let access = self.access.of(ALL_TENANTS);
        access.read("recurring_jobs", |database| database.all(select, &[]).scoped()).await
    }

    async fn count_jobs(&self, late_before: Timestamp, now: Timestamp) -> StoreResult<JobCounts> {
        let select = "SELECT
                (SELECT count(*) FROM jobs AS of_all_tenants
                 WHERE next_run_at < $1 AND (lease_ends_at IS NULL OR lease_ends_at <= $2)),
                (SELECT count(*) FROM jobs AS of_all_tenants WHERE last_error IS NOT NULL)";
        let params: Params<'_> = &[&late_before.as_micros(), &now.as_micros()];
        let access = self.access.of(ALL_TENANTS);
        let (late, failing) =
            access.read("count_jobs", |database| database.only("jobs", select, params).scoped()).await?;
        Ok(JobCounts { late, failing })
    }

    async fn jobs_of(&self, tenant: &TenantId, limit: u32) -> StoreResult<Vec<StoredJob>> {
        let select = select!(StoredJob, "WHERE tenant_id = $1 ORDER BY name, key LIMIT $2");
        let params: Params<'_> = &[&tenant.as_str(), &i64::from(limit)];
        let access = self.access.of(tenant.as_str());
        access.read("jobs_of", |database| database.all(select, params).scoped()).await
    }

    async fn schedule_job(&self, id: &JobId, at: Timestamp) -> StoreResult<()> {
        let JobId { tenant, name, key } = id;
        let access = &self.handle(tenant).access;
        access
            .write("schedule_job", |database| schedule(database, tenant.as_str(), (name, key), at).scoped())
            .await
    }

    /// One of several concurrent calls gets the lease. The others wait for the row and then find it leased.
    async fn lease_job(
        &self,
        id: &JobId,
        lease: &Lease,
        due_by: Timestamp,
        now: Timestamp,
    ) -> StoreResult<Option<u32>> {
        let update =
            "UPDATE jobs SET lease_owner = $4, lease_ends_at = $5, next_run_at = $5, attempts = attempts + 1
             WHERE tenant_id = $1 AND name = $2 AND key = $3 AND next_run_at <= $6
                 AND (lease_ends_at IS NULL OR lease_ends_at <= $7)
             RETURNING attempts";
        let JobId { tenant, name, key } = id;
        let (ends_at, due_by, now) = (lease.ends_at.as_micros(), due_by.as_micros(), now.as_micros());
        let params: Params<'_> = &[&tenant.as_str(), name, key, &lease.owner, &ends_at, &due_by, &now];
        let access = &self.handle(tenant).access;
        let leased: Option<(u32,)> = access
            .write("lease_job", |database| database.one_of(("jobs", 0), update, params).scoped())
            .await?;
        Ok(leased.map(|(attempts,)| attempts))
    }

    async fn renew_lease(&self, id: &JobId, lease: &Lease, ends_at: Timestamp) -> StoreResult<bool> {
        let update = "UPDATE jobs SET lease_ends_at = $6,
                 next_run_at = CASE WHEN next_run_at = lease_ends_at THEN $6 ELSE next_run_at END
             WHERE tenant_id = $1 AND name = $2 AND key = $3 AND lease_owner = $4 AND lease_ends_at = $5";
        let (access, ends_at) = (&self.handle(&id.tenant).access, ends_at.as_micros());
        let values: Params<'_> = &[&ends_at];
        access
            .write("renew_lease", |database| change_leased(database, update, id, lease, values).scoped())
            .await
    }

    async fn end_run(&self, id: &JobId, lease: &Lease, end: &RunEnd) -> StoreResult<bool> {
        let access = &self.handle(&id.tenant).access;
        access.write("end_run", |database| end_run(database, id, lease, end).scoped()).await
    }
}

async fn end_run(database: &Transaction, id: &JobId, lease: &Lease, end: &RunEnd) -> Outcome<bool> {
    match end {
        RunEnd::Failed { error, next_run_at } => fail(database, id, lease, error, *next_run_at).await,
        RunEnd::Succeeded { at, next_run_at: Some(next) } => succeed(database, id, lease, *at, *next).await,
        // A job that was scheduled during the run stays.
        RunEnd::Succeeded { at, next_run_at: None } => {
            Ok(remove(database, id, lease).await?
                || succeed(database, id, lease, *at, Timestamp::MAX).await?)
        }
    }
}

async fn fail(
    database: &Transaction,
    id: &JobId,
    lease: &Lease,
    error: &String,
    next_run_at: Timestamp,
) -> Outcome<bool> {
    let update = "UPDATE jobs SET next_run_at = $6, last_error = $7, lease_owner = NULL, lease_ends_at = NULL
         WHERE tenant_id = $1 AND name = $2 AND key = $3 AND lease_owner = $4 AND lease_ends_at = $5";
    change_leased(database, update, id, lease, &[&next_run_at.as_micros(), error]).await
}

/// Keeps an earlier `next_run_at` that differs from the end of the lease: a call of `schedule_job` set it during the run.
async fn succeed(
    database: &Transaction,
    id: &JobId,
    lease: &Lease,
    at: Timestamp,
    next_run_at: Timestamp,
) -> Outcome<bool> {
    let update = "UPDATE jobs SET
             next_run_at = CASE WHEN next_run_at = lease_ends_at OR next_run_at > $6 THEN $6 ELSE next_run_at END,
             attempts = 0, last_error = NULL, last_success_at = $7, lease_owner = NULL, lease_ends_at = NULL
         WHERE tenant_id = $1 AND name = $2 AND key = $3 AND lease_owner = $4 AND lease_ends_at = $5";
    change_leased(database, update, id, lease, &[&next_run_at.as_micros(), &at.as_micros()]).await
}

async fn remove(database: &Transaction, id: &JobId, lease: &Lease) -> Outcome<bool> {
    let delete = "DELETE FROM jobs WHERE tenant_id = $1 AND name = $2 AND key = $3 AND lease_owner = $4
             AND lease_ends_at = $5 AND next_run_at = $5";
    change_leased(database, delete, id, lease, &[]).await
}

/// Changes a job that this lease holds. The parameters are the job, the lease, and then `values`. Returns false when the
/// lease has ended.
async fn change_leased(
    database: &Transaction,
    sql: &str,
    JobId { tenant, name, key }: &JobId,
    Lease { owner, ends_at }: &Lease,
    values: Params<'_>,
) -> Outcome<bool> {
    let (tenant, ends_at) = (tenant.as_str(), ends_at.as_micros());
    let leased: Params<'_> = &[&tenant, name, key, owner, &ends_at];
    Ok(database.execute(sql, &[leased, values].concat()).await? == 1)
}
