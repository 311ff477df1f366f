//! The limits of waiting jobs and of permits.

use super::Overloaded;
use super::queue::Count;

/// A limit for all tenants together, for each tenant and for each lane. `usize::MAX` is no limit.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// What a process can take.
    pub all: usize,
    /// Smaller than `all`, so that no tenant can use up the shared limit. Does not apply to the service.
    pub tenant: usize,
    /// The service has lanes too.
    pub lane: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { all: usize::MAX, tenant: usize::MAX, lane: usize::MAX }
    }
}

/// The limits of a queue. The default has no limits.
#[derive(Debug, Clone, Copy, Default)]
pub struct Limits {
    /// The most permits.
    pub permits: Bounds,
    /// The most waiting jobs. A job with a permit does not wait.
    pub waiting: Bounds,
}

impl Limits {
    /// The permits of one tenant, or of the service.
    pub(crate) fn permits_of(&self, is_tenant: bool) -> usize {
        if is_tenant { self.permits.tenant } else { usize::MAX }
    }

    /// Whether a lane, its tenant (if any) and all together are within their limits with these counts. Names the narrowest
    /// exceeded limit.
    pub(crate) fn check(&self, lane: Count, tenant: Option<Count>, all: Count) -> Result<(), Overloaded> {
        let (permits, waiting) = (self.permits, self.waiting);
        let fits = |count: Count, permits, waiting| count.permits <= permits && count.waiting <= waiting;
        if !fits(lane, permits.lane, waiting.lane) {
            Err(Overloaded::Lane)
        } else if tenant.is_some_and(|tenant| !fits(tenant, permits.tenant, waiting.tenant)) {
            Err(Overloaded::Tenant)
        } else if !fits(all, permits.all, waiting.all) {
            Err(Overloaded::All)
        } else {
            Ok(())
        }
    }
}
