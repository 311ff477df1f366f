//! Permits for imports. Their bodies are long, so only a few may be in memory at once.

use pointbook_domain::TenantId;
use pointbook_queue::{Bounds, Limits, Permit, Permits};

/// How many imports run at once. Further ones get 503. One tenant gets at most half of them.
const MAX_IMPORTS: Bounds = Bounds { all: 8, tenant: 4, lane: usize::MAX };

pub(super) type ImportPermits = Permits<TenantId, ()>;
pub(super) type ImportPermit = Permit<TenantId, ()>;

pub(super) fn import_permits() -> ImportPermits {
    Permits::new(Limits { permits: MAX_IMPORTS, ..Limits::default() })
}

#[cfg(test)]
mod tests {
    use pointbook_queue::{Lane, Overloaded};

    use super::*;

    #[test]
    fn a_tenant_has_half_the_permits_and_gives_them_back() {
        let permits = import_permits();
        let acquire = |tenant: &str| permits.try_acquire(Lane::of(TenantId::new(tenant).unwrap(), ()), 1);
        let first: Vec<_> = (0..4).map(|_| acquire("a").unwrap()).collect();
        assert_eq!(acquire("a").unwrap_err(), Overloaded::Tenant);
        let second: Vec<_> = (0..3).map(|_| acquire("b").unwrap()).collect();
        let last = acquire("c").unwrap();
        assert_eq!(acquire("b").unwrap_err(), Overloaded::All);
        assert_eq!(acquire("d").unwrap_err(), Overloaded::All, "all eight are taken");
        drop(last);
        assert!(acquire("a").is_err());
        assert!(acquire("b").is_ok(), "for a moment");
        drop((first, second));
        assert!(acquire("a").is_ok());
    }
}
