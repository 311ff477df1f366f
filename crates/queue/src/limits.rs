//! How much may wait, and how many permits there are.

use super::Overloaded;
use super::queue::Count;

/// One number for all tenants together, one for each tenant and one for each lane. `usize::MAX` is no limit.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// What a process can take.
    pub all: usize,
    /// Smaller than `all`, so that no tenant takes what others share with it. Does not apply to the service itself.
    pub tenant: usize,
    /// The service itself has lanes too.
    pub lane: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { all: usize::MAX, tenant: usize::MAX, lane: usize::MAX }
    }
}

/// The limits of a queue; none by default.
#[derive(Debug, Clone, Copy, Default)]
pub struct Limits {
    /// How many permits are taken at most.
    pub permits: Bounds,
    /// How many jobs wait at most; those that have a permit wait no more.
    pub waiting: Bounds,
}

impl Limits {
    /// How many permits one tenant may have, or the service itself.
    pub(crate) fn permits_of(&self, is_tenant: bool) -> usize {
        if is_tenant { self.permits.tenant } else { usize::MAX }
    }

    /// Whether a lane, its tenant (if it has one) and all together stay within their limits with these counts. Names the
    /// narrowest limit that does not hold.
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
