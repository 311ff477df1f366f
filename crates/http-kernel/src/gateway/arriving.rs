//! The bounds on bodies that are still arriving, and on the memory of those that arrived: per process, per
//! tenant and per principal, so that a client that sends slowly uses up its own share only.

use metrics::{Counter, Gauge};
use pointbook_domain::TenantId;
use pointbook_queue::{Bounds, Lane, Limits, Overloaded, Permit, Permits};

use crate::limits::HttpLimits;

/// Of the memory, a tenant gets half and a principal a quarter.
const TENANT_DIVISOR: usize = 2;
const PRINCIPAL_DIVISOR: usize = 4;

/// Permits for bodies that are arriving, and for bytes of bodies in memory.
pub(super) struct ArrivingBodies {
    bodies: Permits<TenantId, String>,
    bytes: Permits<TenantId, String>,
    /// By bound, from the process to the principal.
    refused: [Counter; 3],
}

/// The values of the label `bound`.
const BOUNDS: [&str; 3] = ["arriving_bodies", "arriving_bodies_per_tenant", "arriving_bodies_per_principal"];

/// Whose body it is: the tenant, and the owner of its principal's idempotency keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BodyOwner {
    pub tenant: TenantId,
    /// The principal within the tenant.
    pub principal: String,
}

/// What one body takes of the bounds, until it is dropped.
#[derive(Debug)]
pub(super) struct BodyPermits {
    arriving: Option<Permit<TenantId, String>>,
    bytes: Permit<TenantId, String>,
}

impl ArrivingBodies {
    pub(super) fn new(limits: &HttpLimits) -> Self {
        let bodies = Bounds {
            all: limits.max_arriving_bodies,
            tenant: limits.max_arriving_bodies_per_tenant,
            lane: limits.max_arriving_bodies_per_principal,
        };
        let all = usize::try_from(limits.max_body_memory_bytes).unwrap_or(usize::MAX);
        let bytes = Bounds { all, tenant: all / TENANT_DIVISOR, lane: all / PRINCIPAL_DIVISOR };
        let refused = |bound| metrics::counter!("pointbook_http_requests_refused_total", "bound" => bound);
        Self {
            bodies: permits(bodies, metrics::gauge!("pointbook_http_bodies_arriving")),
            bytes: permits(bytes, metrics::gauge!("pointbook_http_body_memory_bytes")),
            refused: BOUNDS.map(refused),
        }
    }

    /// The permits of one more arriving body, of which so many bytes are in memory.
    pub(super) fn enter(&self, owner: BodyOwner, bytes: usize) -> Result<BodyPermits, Overloaded> {
        let lane = Lane::of(owner.tenant, owner.principal);
        let arriving = self.counted(self.bodies.try_acquire(lane.clone(), 1))?;
        let bytes = self.counted(self.bytes.try_acquire(lane, bytes))?;
        Ok(BodyPermits { arriving: Some(arriving), bytes })
    }

    /// Counts more bytes of a body.
    pub(super) fn grow(&self, body: &mut BodyPermits, bytes: usize) -> Result<(), Overloaded> {
        self.counted(body.bytes.grow(bytes))
    }

    fn counted<T>(&self, taken: Result<T, Overloaded>) -> Result<T, Overloaded> {
        let [all, tenant, principal] = &self.refused;
        taken.inspect_err(|overloaded| match overloaded {
            Overloaded::All | Overloaded::Wait => all.increment(1),
            Overloaded::Tenant => tenant.increment(1),
            Overloaded::Lane => principal.increment(1),
        })
    }
}

impl BodyPermits {
    /// The body is complete. Its bytes stay counted.
    pub(super) fn arrived(&mut self) {
        self.arriving = None;
    }
}

#[expect(clippy::cast_precision_loss, reason = "a gauge, whose numbers are far below 2^53")]
fn permits(permits: Bounds, gauge: Gauge) -> Permits<TenantId, String> {
    let limits = Limits { permits, ..Limits::default() };
    Permits::watched(limits, move |count| gauge.set(count.permits as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bodies() -> ArrivingBodies {
        ArrivingBodies::new(&HttpLimits {
            max_arriving_bodies: 5,
            max_arriving_bodies_per_tenant: 3,
            max_arriving_bodies_per_principal: 2,
            max_body_memory_bytes: 400,
            ..HttpLimits::default()
        })
    }

    fn owner(tenant: &str, principal: &str) -> BodyOwner {
        BodyOwner { tenant: TenantId::new(tenant).unwrap(), principal: principal.to_owned() }
    }

    #[test]
    fn a_principal_a_tenant_and_the_process_have_bounds_of_their_own() {
        let bodies = bodies();
        let enter = |tenant: &str, principal: &str| bodies.enter(owner(tenant, principal), 0);
        let first = [enter("a", "p").unwrap(), enter("a", "p").unwrap()];
        assert_eq!(enter("a", "p").unwrap_err(), Overloaded::Lane);
        let second = [enter("a", "q").unwrap()];
        assert_eq!(enter("a", "r").unwrap_err(), Overloaded::Tenant, "the tenant has three");
        let third = [enter("b", "p").unwrap(), enter("c", "p").unwrap()];
        assert_eq!(enter("d", "p").unwrap_err(), Overloaded::All, "the process has five");
        drop(first);
        assert!(enter("a", "p").is_ok());
        drop((second, third));
    }

    #[test]
    fn the_bytes_of_a_body_count_until_it_is_gone() {
        let bodies = bodies();
        let mut body = bodies.enter(owner("a", "p"), 50).unwrap();
        bodies.grow(&mut body, 50).unwrap();
        assert_eq!(bodies.grow(&mut body, 1), Err(Overloaded::Lane), "a principal has a quarter");
        body.arrived();
        let mut other = bodies.enter(owner("a", "q"), 100).unwrap();
        assert!(bodies.enter(owner("a", "r"), 1).is_err(), "a tenant has half");
        assert!(bodies.enter(owner("b", "p"), 100).is_ok());
        other.arrived();
        drop((body, other));
        assert!(bodies.enter(owner("a", "p"), 100).is_ok());
    }
}
