//! The bounds of arriving bodies, and of the memory of arrived ones: per process, per tenant and per principal. So a slow client
//! uses up only its own share.

use metrics::{Counter, Gauge};
use pointbook_domain::TenantId;
use pointbook_store::queue::{Bounds, Lane, Limits, Overloaded, Permit, Permits};

use crate::kernel::limits::HttpLimits;

/// A tenant gets half of the memory and a principal a quarter.
const TENANT_DIVISOR: usize = 2;
const PRINCIPAL_DIVISOR: usize = 4;

/// The values of the label `bound`, from the process to the principal.
const BOUNDS: [&str; 3] = ["arriving_bodies", "arriving_bodies_per_tenant", "arriving_bodies_per_principal"];

/// The owner of a body: the tenant, and the owner of the principal's idempotency keys.
pub type BodyOwner = Lane<TenantId, String>;

/// For one arriving body, or for bytes of bodies in memory.
pub(super) type BodyPermit = Permit<TenantId, String>;

pub(super) struct ArrivingBodies {
    bodies: Permits<TenantId, String>,
    bytes: Permits<TenantId, String>,
    refused: [Counter; 3],
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

    /// The permits of one arriving body and of its bytes in memory. They are held until the response.
    pub(super) fn enter(&self, owner: BodyOwner, bytes: usize) -> Result<[BodyPermit; 2], Overloaded> {
        let body = self.counted(self.bodies.try_acquire(owner.clone(), 1))?;
        Ok([body, self.counted(self.bytes.try_acquire(owner, bytes))?])
    }

    pub(super) fn grow(&self, held: &mut BodyPermit, bytes: usize) -> Result<(), Overloaded> {
        self.counted(held.grow(bytes))
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
        Lane::of(TenantId::new(tenant).unwrap(), principal.to_owned())
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
        let [arriving, mut bytes] = bodies.enter(owner("a", "p"), 50).unwrap();
        bodies.grow(&mut bytes, 50).unwrap();
        assert_eq!(bodies.grow(&mut bytes, 1), Err(Overloaded::Lane), "a principal has a quarter");
        drop(arriving);
        let other = bodies.enter(owner("a", "q"), 100).unwrap();
        assert!(bodies.enter(owner("a", "r"), 1).is_err(), "a tenant has half");
        assert!(bodies.enter(owner("b", "p"), 100).is_ok());
        drop((bytes, other));
        assert!(bodies.enter(owner("a", "p"), 100).is_ok());
    }
}
