use std::collections::BTreeMap;
use std::sync::Arc;

use http::{HeaderMap, HeaderValue};
use pointbook_domain::{Locale, Tenant};
use unic_langid::LanguageIdentifier;

use super::LocaleTexts;
use super::layer::{Layer, resource};
use super::shipped::Shipped;
use crate::language::choose_language;

/// The languages of one tenant.
#[derive(Debug)]
pub struct TenantTexts {
    /// What these texts were made from.
    locale: Locale,
    locales: Option<Vec<Locale>>,
    own: BTreeMap<Locale, String>,
    /// What clients may ask for.
    offered: Vec<OfferedTexts>,
    /// What they get without asking.
    default: OfferedTexts,
}

/// Texts that a client may ask for.
#[derive(Debug, Clone)]
pub struct OfferedTexts {
    pub texts: Arc<LocaleTexts>,
    /// Their language, as `Content-Language` says it.
    pub content_language: HeaderValue,
    language: LanguageIdentifier,
}

impl AsRef<LanguageIdentifier> for OfferedTexts {
    fn as_ref(&self) -> &LanguageIdentifier {
        &self.language
    }
}

impl TenantTexts {
    pub(super) fn new(tenant: &Tenant, shipped: &Shipped) -> Self {
        let builder = Builder { tenant, shipped };
        let default = language_of(&tenant.locale).and_then(|language| builder.offer(language));
        let offered = builder.languages().into_iter().filter_map(|language| builder.offer(language));
        Self {
            locale: tenant.locale.clone(),
            locales: tenant.settings.locales.clone(),
            own: tenant.settings.texts.clone(),
            offered: offered.collect(),
            default: default.unwrap_or_else(|| builder.english()),
        }
    }

    /// The texts in the language that the request asks for, or else in the tenant's.
    pub fn choose(&self, headers: &HeaderMap) -> &OfferedTexts {
        choose_language(headers, &self.offered, &self.default)
    }

    /// Whether they are still what the tenant would have made now.
    pub(super) fn are_of(&self, tenant: &Tenant) -> bool {
        let Self { locale, locales, own, offered: _, default: _ } = self;
        (locale, locales, own) == (&tenant.locale, &tenant.settings.locales, &tenant.settings.texts)
    }
}

struct Builder<'t> {
    tenant: &'t Tenant,
    shipped: &'t Shipped,
}

impl Builder<'_> {
    /// The locales that the operator lists, or else all that there are texts for.
    fn languages(&self) -> Vec<LanguageIdentifier> {
        let settings = &self.tenant.settings;
        if let Some(locales) = &settings.locales {
            return locales.iter().filter_map(language_of).collect();
        }
        let shipped = self.shipped.all().iter().map(|shipped| shipped.language.clone());
        let mut languages: Vec<_> = shipped.collect();
        for language in settings.texts.keys().filter_map(language_of) {
            if !languages.contains(&language) {
                languages.push(language);
            }
        }
        languages
    }

    /// The texts of a language; none when there are none.
    fn offer(&self, language: LanguageIdentifier) -> Option<OfferedTexts> {
        let content_language = HeaderValue::from_str(&language.to_string()).ok()?;
        let own = self.own_source(&language).map(resource);
        let texts = match (self.shipped.of(&language), own) {
            (None, None) => return None,
            (Some(shipped), None) => shipped.texts.clone(),
            (Some(shipped), Some(own)) => {
                let layer = Layer::new(&language, &[shipped.resource.clone(), own]);
                Arc::new(LocaleTexts::new(vec![Arc::new(layer)]))
            }
            (None, Some(own)) => {
                let mut chain = vec![Arc::new(Layer::new(&language, &[own]))];
                chain.extend(self.fallback(&language));
                Arc::new(LocaleTexts::new(chain))
            }
        };
        Some(OfferedTexts { texts, content_language, language })
    }

    /// Where a language that is not shipped finds what its own texts lack.
    fn fallback(&self, language: &LanguageIdentifier) -> Vec<Arc<Layer>> {
        let own_locale = language_of(&self.tenant.locale).filter(|locale| locale != language);
        let own_locale = own_locale.and_then(|locale| self.offer(locale));
        let mut chain = own_locale.map_or_else(Vec::new, |offered| offered.texts.chain().to_vec());
        chain.extend_from_slice(self.english().texts.chain());
        chain
    }

    /// The operator's source for exactly this locale, or else for its language.
    fn own_source(&self, language: &LanguageIdentifier) -> Option<&str> {
        let texts = &self.tenant.settings.texts;
        let find = |tag: &str| {
            let same = |(locale, _): &(&Locale, _)| locale.as_str().eq_ignore_ascii_case(tag);
            texts.iter().find(same).map(|(_, source)| source.as_str())
        };
        find(&language.to_string()).or_else(|| find(language.language.as_str()))
    }

    fn english(&self) -> OfferedTexts {
        let first = self.shipped.all().first();
        let texts = first.map(|shipped| shipped.texts.clone());
        OfferedTexts {
            texts: texts.unwrap_or_else(|| Arc::new(LocaleTexts::new(Vec::new()))),
            content_language: HeaderValue::from_static("en"),
            language: first.map(|shipped| shipped.language.clone()).unwrap_or_default(),
        }
    }
}

/// The language identifier of a locale; none for a tag that has parts no language has.
fn language_of(locale: &Locale) -> Option<LanguageIdentifier> {
    locale.as_str().parse().ok()
}
