//! The limits of waiting jobs and of permits.

use super::Overloaded;
use super::fair::Count;

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
    /// Whether a tenant leaves as many permits free as it holds, and a lane as many as it and its tenant hold. So a tenant that is alone
    /// gets half of `permits.all`, two get a third each, and one more always finds a permit. The first permit of a tenant may be the last one.
    pub leaves_room: bool,
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
            tenant.map_or(Ok(()), |tenant| self.check_room(lane, tenant, all))
        }
    }

    fn check_room(&self, lane: Count, tenant: Count, all: Count) -> Result<(), Overloaded> {
        let used = all.permits.saturating_add(tenant.permits);
        if !self.leaves_room || tenant.permits <= 1 || lane.permits.saturating_add(used) <= self.permits.all {
            Ok(())
        } else if used > self.permits.all {
            Err(Overloaded::Tenant)
        } else {
            Err(Overloaded::Lane)
        }
    }
}
