//! Display texts: the titles of groups in the point history, in the languages of a tenant.
//!
//! The service ships four languages. A tenant's own Fluent source for a locale overrides the shipped texts of that language. A
//! language that is not shipped falls back to the tenant's locale, then to English. An activity type without texts uses those of
//! `activity`.

mod check;
mod language;
mod layer;
mod locale_texts;
mod tenant_texts;

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

pub use check::check_source;
pub use language::choose_language;
use layer::Layer;
pub use layer::Tally;
pub use locale_texts::{KindTexts, LocaleTexts};
pub use tenant_texts::{OfferedTexts, TenantTexts};

use crate::{ActivityType, Locale, Tenant, TenantId};

/// The shipped languages, the last fallback first.
const SOURCES: [(&str, &str); 4] = [
    ("en", include_str!("../../locales/en.ftl")),
    ("de", include_str!("../../locales/de.ftl")),
    ("ja", include_str!("../../locales/ja.ftl")),
    ("tr", include_str!("../../locales/tr.ftl")),
];

/// The language tags of the shipped texts.
pub fn shipped_languages() -> impl Iterator<Item = &'static str> {
    SOURCES.iter().map(|(tag, _)| *tag)
}

/// The shipped name of an activity type, in the language of a locale or in English.
pub fn shipped_title(locale: Option<&Locale>, kind: &str) -> String {
    static SHIPPED: LazyLock<Vec<OfferedTexts>> = LazyLock::new(|| Texts::default().shipped);
    let language = locale.and_then(|locale| locale.as_str().split('-').next());
    let is_asked = |shipped: &&OfferedTexts| language == Some(shipped.language());
    let shipped = SHIPPED.iter().find(is_asked).or_else(|| SHIPPED.first());
    let kind = ActivityType::new(kind).ok();
    let title = shipped.zip(kind).map(|(shipped, kind)| shipped.texts.of(&kind).title().to_owned());
    title.unwrap_or_default()
}

/// The texts of all tenants. A tenant's texts are built at first use and kept until its settings change. Tenants without own
/// texts share the shipped ones.
pub struct Texts {
    shipped: Vec<OfferedTexts>,
    tenants: RwLock<HashMap<TenantId, Arc<TenantTexts>>>,
}

impl Default for Texts {
    fn default() -> Self {
        let read = |(tag, source): (&str, &str)| {
            let language = tag.parse().ok()?;
            let layer = Layer::new(&language, &[source]);
            OfferedTexts::new(language, Arc::new(LocaleTexts::new(vec![Arc::new(layer)])))
        };
        Self { shipped: SOURCES.into_iter().filter_map(read).collect(), tenants: RwLock::default() }
    }
}

impl Texts {
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
