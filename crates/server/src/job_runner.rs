//! What this program runs jobs with.

use std::sync::Arc;

use pointbook_app::Service;
use pointbook_jobs::{JOBS, Runner};

use crate::sources::UuidIds;

/// Runs jobs for the tenants of a service. `process` names this process in leases.
pub(crate) fn job_runner(service: Arc<Service>, process: String, lease_seconds: u32) -> Runner {
    Runner { service, ids: Arc::new(UuidIds), owner: process, lease_seconds, jobs: &JOBS }
}
