//! The bounds on bodies that are still arriving, and on the memory of those that arrived: per process, per
//! tenant and per principal, so that a client that sends slowly uses up its own share only.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use metrics::{Counter, Gauge};
use pointbook_domain::TenantId;

use crate::limits::HttpLimits;

/// Of the bytes, a tenant gets half and a principal a quarter.
const TENANT_DIVISOR: u64 = 2;
const PRINCIPAL_DIVISOR: u64 = 4;

/// The bodies that are arriving, and the bytes of bodies in memory.
pub(super) struct ArrivingBodies {
    limits: [Share; 3],
    taken: Mutex<Taken>,
    gauge: Gauge,
    bytes_gauge: Gauge,
    /// By bound, as [`BOUNDS`] names them.
    refused: [Counter; 3],
}

/// The values of the label `bound`.
const BOUNDS: [&str; 3] = ["arriving_bodies", "arriving_bodies_per_tenant", "arriving_bodies_per_principal"];

/// Whose body it is: the tenant, and the owner of its principal's idempotency keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BodyOwner {
    /// The tenant.
    pub tenant: TenantId,
    /// The principal within the tenant.
    pub principal: String,
}

/// What one body takes of the bounds.
#[derive(Debug)]
pub(super) struct BodyShare {
    owner: BodyOwner,
    share: Share,
}

/// A number of arriving bodies, and of bytes in memory.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Share {
    bodies: usize,
    bytes: u64,
}

#[derive(Default)]
struct Taken {
    process: Share,
    tenants: HashMap<TenantId, Share>,
    principals: HashMap<(TenantId, String), Share>,
}

/// A bound is used up.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Full;

impl ArrivingBodies {
    pub(super) fn new(limits: &HttpLimits) -> Self {
        let share = |bodies, divisor| Share { bodies, bytes: limits.max_body_memory_bytes / divisor };
        let refused = |bound| metrics::counter!("pointbook_http_requests_refused_total", "bound" => bound);
        Self {
            limits: [
                share(limits.max_arriving_bodies, 1),
                share(limits.max_arriving_bodies_per_tenant, TENANT_DIVISOR),
                share(limits.max_arriving_bodies_per_principal, PRINCIPAL_DIVISOR),
            ],
            taken: Mutex::default(),
            gauge: metrics::gauge!("pointbook_http_bodies_arriving"),
            bytes_gauge: metrics::gauge!("pointbook_http_body_memory_bytes"),
            refused: BOUNDS.map(refused),
        }
    }

    /// A share for one more arriving body, of which so many bytes are in memory.
    pub(super) fn enter(&self, owner: BodyOwner, bytes: u64) -> Result<BodyShare, Full> {
        let share = Share { bodies: 1, bytes };
        self.take(&owner, share)?;
        Ok(BodyShare { owner, share })
    }

    /// Counts more bytes of a body.
    pub(super) fn grow(&self, body: &mut BodyShare, bytes: u64) -> Result<(), Full> {
        self.take(&body.owner, Share { bodies: 0, bytes })?;
        body.share.bytes += bytes;
        Ok(())
    }

    /// The body is complete. Its bytes stay counted.
    pub(super) fn arrived(&self, body: &mut BodyShare) {
        self.give_back(&body.owner, Share { bodies: body.share.bodies, bytes: 0 });
        body.share.bodies = 0;
    }

    /// The body is gone.
    pub(super) fn leave(&self, body: &BodyShare) {
        self.give_back(&body.owner, body.share);
    }

    fn take(&self, owner: &BodyOwner, more: Share) -> Result<(), Full> {
        let mut taken = self.lock();
        let after = taken.of(owner).map(|share| share.plus(more));
        if let Some(bound) = (0..after.len()).rev().find(|&bound| !after[bound].fits(self.limits[bound])) {
            self.refused[bound].increment(1);
            return Err(Full);
        }
        taken.set(owner, after);
        self.show(&taken);
        Ok(())
    }

    fn give_back(&self, owner: &BodyOwner, less: Share) {
        let mut taken = self.lock();
        let after = taken.of(owner).map(|share| share.minus(less));
        taken.set(owner, after);
        self.show(&taken);
    }

    #[expect(clippy::cast_precision_loss, reason = "a gauge, whose numbers are far below 2^53")]
    fn show(&self, taken: &Taken) {
        self.gauge.set(taken.process.bodies as f64);
        self.bytes_gauge.set(taken.process.bytes as f64);
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Share {
    fn plus(self, more: Self) -> Self {
        Self { bodies: self.bodies.saturating_add(more.bodies), bytes: self.bytes.saturating_add(more.bytes) }
    }

    fn minus(self, less: Self) -> Self {
        Self { bodies: self.bodies.saturating_sub(less.bodies), bytes: self.bytes.saturating_sub(less.bytes) }
    }

    fn fits(self, limit: Self) -> bool {
        self.bodies <= limit.bodies && self.bytes <= limit.bytes
    }
}

impl Taken {
    /// What is taken of the process, of the tenant and of the principal.
    fn of(&self, owner: &BodyOwner) -> [Share; 3] {
        let tenant = self.tenants.get(&owner.tenant).copied().unwrap_or_default();
        let principal = self.principals.get(&owner.key()).copied().unwrap_or_default();
        [self.process, tenant, principal]
    }

    fn set(&mut self, owner: &BodyOwner, [process, tenant, principal]: [Share; 3]) {
        self.process = process;
        put(&mut self.tenants, owner.tenant.clone(), tenant);
        put(&mut self.principals, owner.key(), principal);
    }
}

impl BodyOwner {
    fn key(&self) -> (TenantId, String) {
        (self.tenant.clone(), self.principal.clone())
    }
}

/// Keeps no entry for nothing, so that the maps stay as small as what is taken.
fn put<K: Eq + Hash>(shares: &mut HashMap<K, Share>, key: K, share: Share) {
    if share == Share::default() {
        shares.remove(&key);
    } else {
        shares.insert(key, share);
    }
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
        assert_eq!(enter("a", "p").unwrap_err(), Full);
        let second = [enter("a", "q").unwrap()];
        assert_eq!(enter("a", "r").unwrap_err(), Full, "the tenant has three");
        let third = [enter("b", "p").unwrap(), enter("c", "p").unwrap()];
        assert_eq!(enter("d", "p").unwrap_err(), Full, "the process has five");
        bodies.leave(&first[0]);
        assert!(enter("a", "p").is_ok());
        drop((second, third));
    }

    #[test]
    fn the_bytes_of_a_body_count_until_it_is_gone() {
        let bodies = bodies();
        let mut body = bodies.enter(owner("a", "p"), 50).unwrap();
        bodies.grow(&mut body, 50).unwrap();
        assert_eq!(bodies.grow(&mut body, 1), Err(Full), "a principal has a quarter");
        bodies.arrived(&mut body);
        let mut other = bodies.enter(owner("a", "q"), 100).unwrap();
        assert!(bodies.enter(owner("a", "r"), 1).is_err(), "a tenant has half");
        assert!(bodies.enter(owner("b", "p"), 100).is_ok());
        bodies.arrived(&mut other);
        bodies.leave(&body);
        bodies.leave(&other);
        assert!(bodies.enter(owner("a", "p"), 100).is_ok());
    }

    #[test]
    fn nothing_is_kept_of_who_has_no_body() {
        let bodies = bodies();
        let mut body = bodies.enter(owner("a", "p"), 7).unwrap();
        bodies.arrived(&mut body);
        bodies.leave(&body);
        let taken = bodies.lock();
        assert_eq!((taken.process, taken.tenants.len(), taken.principals.len()), (Share::default(), 0, 0));
    }
}
