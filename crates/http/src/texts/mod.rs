//! Display texts: what the point history calls its groups, in the languages of a tenant.
//!
//! Four languages are shipped. A tenant's own Fluent source for a locale is laid over the shipped
//! texts of that language; a language that is not shipped falls back to the tenant's locale, then to
//! English. An activity type without texts takes the ones of `activity`.

mod check;
mod layer;
mod locale_texts;
mod shipped;
mod tenant_texts;

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use pointbook_domain::{Tenant, TenantId};

pub use check::{TextsError, check_source};
pub use layer::Tally;
pub use locale_texts::{KindTexts, LocaleTexts};
pub use tenant_texts::{OfferedTexts, TenantTexts};

#[cfg(test)]
pub(crate) use tests::shipped;

use shipped::Shipped;
pub use shipped::shipped_languages;

/// The texts of all tenants. Each tenant's are put together at first use and kept until its
/// languages or its own texts change; tenants without own texts share the shipped ones.
#[derive(Default)]
pub struct Texts {
    shipped: Shipped,
    tenants: RwLock<HashMap<TenantId, Arc<TenantTexts>>>,
}

impl Texts {
    /// The texts of a tenant as it is now.
    pub fn of(&self, tenant: &Tenant) -> Arc<TenantTexts> {
        let known = self.tenants.read().unwrap_or_else(PoisonError::into_inner).get(&tenant.id).cloned();
        if let Some(texts) = known.filter(|texts| texts.are_of(tenant)) {
            return texts;
        }
        let texts = Arc::new(TenantTexts::new(tenant, &self.shipped));
        let mut tenants = self.tenants.write().unwrap_or_else(PoisonError::into_inner);
        tenants.insert(tenant.id.clone(), texts.clone());
        texts
    }
}

#[cfg(test)]
mod tests;
