//! Places for imports, whose bodies are long: only a few are in memory at once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use pointbook_domain::TenantId;

/// How many imports are answered at once; further ones are 503.
const MAX_IMPORTS: usize = 8;

/// How many of them may be of one tenant, so that none shuts out the others.
const MAX_TENANT_IMPORTS: usize = 4;

/// The imports that are being answered.
#[derive(Default)]
pub(super) struct ImportPlaces {
    /// How many each tenant has; none of them none.
    taken: Mutex<HashMap<TenantId, usize>>,
}

/// A place, until it is dropped.
pub(super) struct ImportPlace {
    places: Arc<ImportPlaces>,
    tenant: TenantId,
}

impl ImportPlaces {
    /// Takes a place; none when all are taken, or all that one tenant may have.
    pub(super) fn enter(self: Arc<Self>, tenant: &TenantId) -> Option<ImportPlace> {
        {
            let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
            let of_tenant = taken.get(tenant).copied().unwrap_or_default();
            if of_tenant >= MAX_TENANT_IMPORTS || taken.values().sum::<usize>() >= MAX_IMPORTS {
                return None;
            }
            taken.insert(tenant.clone(), of_tenant + 1);
        }
        Some(ImportPlace { places: self, tenant: tenant.clone() })
    }
}

impl Drop for ImportPlace {
    fn drop(&mut self) {
        let mut taken = self.places.taken.lock().unwrap_or_else(PoisonError::into_inner);
        match taken.get_mut(&self.tenant) {
            Some(places) if *places > 1 => *places -= 1,
            _ => drop(taken.remove(&self.tenant)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenant_has_half_the_places_and_gives_them_back() {
        let places = Arc::new(ImportPlaces::default());
        let enter = |tenant: &str| places.clone().enter(&TenantId::new(tenant).unwrap());
        let first: Vec<_> = (0..4).map(|_| enter("a").unwrap()).collect();
        assert!(enter("a").is_none());
        let second: Vec<_> = (0..3).map(|_| enter("b").unwrap()).collect();
        let last = enter("c").unwrap();
        assert!(enter("b").is_none() && enter("d").is_none(), "all eight are taken");
        drop(last);
        assert!(enter("a").is_none());
        assert!(enter("b").is_some(), "for a moment");
        drop((first, second));
        assert!(places.taken.lock().unwrap().is_empty());
    }
}
