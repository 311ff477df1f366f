//! The rows that the service itself keeps or looks for: jobs, secrets, and parts of tables that only its own reads and writes need.

use pointbook_domain::{
    ActivityType, BaseUrl, Environment, ProductId, Slug, SourceId, TenantId, Timestamp, TokenRecord,
};

use crate::schema::rows::{JobId, JobRow};

/// The id in the handle for all tenants. No tenant has it. A policy of PostgreSQL shows the jobs of all tenants to transactions that name
/// it.
pub const ALL_TENANTS: &str = "*";

rows! {
    /// A token, and when its user was shut out.
    TokenOfUser of TOKENS / 1, read {
        record: TokenRecord, disabled_at: Option<Timestamp>,
    }

    /// A product with orders.
    OrderedId of ORDERS / 1, read {
        product_id: ProductId,
    }

    /// What a ledger row did to a balance, with its bonuses.
    MovedPoints of TRANSACTIONS / 0, read {
        created_at: Timestamp, kind as "type": ActivityType, source_id: SourceId, points: i64, bonus_points: i64,
    }

    /// When an idempotency key was used last.
    LastUse of REQUEST_KEYS / 0, read {
        last_used_at: Timestamp,
    }

    /// What tells tenants apart.
    ListedTenant of TENANTS / 1, read {
        id: TenantId, slug: Slug, environment: Environment, base_url: BaseUrl,
    }

    /// The settings of a tenant as they are stored.
    StoredSettings of TENANTS / 0, read {
        base_url: BaseUrl, settings: String,
    }
}

/// The right to run a job until a time. The lease expires then, unless its owner ends it earlier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// The process that runs the job.
    pub owner: String,
    /// When another process may run the job.
    pub ends_at: Timestamp,
}

/// A job as its row has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredJob {
    pub id: JobId,
    /// When the job is due. While a process runs the job, this is the end of the lease, unless the job was
    /// rescheduled.
    pub next_run_at: Timestamp,
    /// How many runs started since the last success, including the current one.
    pub attempts: u32,
    /// The lease of the process that runs the job. A lease of a killed process stays after it has expired.
    pub lease: Option<Lease>,
    /// Why the last run failed; `None` after a success.
    pub last_error: Option<String>,
    /// The end of the last successful run.
    pub last_success_at: Option<Timestamp>,
}

impl JobRow {
    pub(crate) fn of_tenant(self, tenant: &TenantId) -> StoredJob {
        let Self { name, key, next_run_at, attempts, lease_owner, lease_ends_at, .. } = self;
        let Self { last_error, last_success_at, .. } = self;
        let lease = lease_owner.zip(lease_ends_at).map(|(owner, ends_at)| Lease { owner, ends_at });
        let id = JobId { tenant: tenant.clone(), name, key };
        StoredJob { id, next_run_at, attempts, lease, last_error, last_success_at }
    }
}
