use std::sync::Arc;

use http::{HeaderMap, HeaderValue};
use unic_langid::LanguageIdentifier;

use super::layer::Layer;
use super::{LocaleTexts, SOURCES};
use crate::texts::language::choose_language;
use crate::{Locale, Tenant, TenantSettings};

pub struct TenantTexts {
    /// The source of these texts.
    locale: Locale,
    settings: TenantSettings,
    offered: Vec<OfferedTexts>,
    /// The texts without a requested language.
    default: OfferedTexts,
}

#[derive(Clone)]
pub struct OfferedTexts {
    pub texts: Arc<LocaleTexts>,
    pub content_language: HeaderValue,
    language: LanguageIdentifier,
}

impl AsRef<LanguageIdentifier> for OfferedTexts {
    fn as_ref(&self) -> &LanguageIdentifier {
        &self.language
    }
}

impl OfferedTexts {
    pub(super) fn language(&self) -> &str {
        self.language.language.as_str()
    }

    pub(super) fn new(language: LanguageIdentifier, texts: Arc<LocaleTexts>) -> Option<Self> {
        let content_language = HeaderValue::from_str(&language.to_string()).ok()?;
        Some(Self { texts, content_language, language })
    }
}

impl TenantTexts {
    pub(super) fn new(tenant: &Tenant, shipped: &[OfferedTexts]) -> Self {
        let builder = Builder { tenant, shipped };
        let default = language_of(&tenant.locale).and_then(|language| builder.offer(language));
        let offered = builder.languages().into_iter().filter_map(|language| builder.offer(language));
        Self {
            locale: tenant.locale.clone(),
            settings: tenant.settings.clone(),
            offered: offered.collect(),
            default: default.unwrap_or_else(|| builder.english()),
        }
    }

    /// The texts in the requested language, otherwise in the tenant's.
    pub fn choose(&self, headers: &HeaderMap) -> &OfferedTexts {
        choose_language(headers, &self.offered, &self.default)
    }

    /// Whether the tenant's settings still give the same texts.
    pub(super) fn are_of(&self, tenant: &Tenant) -> bool {
        self.locale == tenant.locale && self.settings == tenant.settings
    }
}

struct Builder<'t> {
    tenant: &'t Tenant,
    shipped: &'t [OfferedTexts],
}

impl Builder<'_> {
    /// The locales that the operator lists, otherwise all with texts.
    fn languages(&self) -> Vec<LanguageIdentifier> {
        let settings = &self.tenant.settings;
        if let Some(locales) = &settings.locales {
            return locales.iter().filter_map(language_of).collect();
        }
        let mut languages: Vec<_> = self.shipped.iter().map(|shipped| shipped.language.clone()).collect();
        for language in settings.texts.keys().filter_map(language_of) {
            if !languages.contains(&language) {
                languages.push(language);
            }
        }
        languages
    }

    /// The texts of a language. `None` without any.
    fn offer(&self, language: LanguageIdentifier) -> Option<OfferedTexts> {
        let name = language.language.as_str();
        let shipped = self.shipped.iter().find(|shipped| shipped.language.language == language.language);
        let source = SOURCES.iter().find(|(tag, _)| *tag == name).map(|(_, source)| *source);
        let texts = match (shipped, self.own_source(&language)) {
            (None, None) => return None,
            (Some(shipped), None) => shipped.texts.clone(),
            (_, Some(own)) => {
                let sources: Vec<&str> = source.into_iter().chain([own]).collect();
                let mut chain = vec![Arc::new(Layer::new(&language, &sources))];
                if shipped.is_none() {
                    chain.extend(self.fallback(&language));
                }
                Arc::new(LocaleTexts::new(chain))
            }
        };
        OfferedTexts::new(language, texts)
    }

    /// The fallback for a language that is not shipped.
    fn fallback(&self, language: &LanguageIdentifier) -> Vec<Arc<Layer>> {
        let own_locale = language_of(&self.tenant.locale).filter(|locale| locale != language);
        let own_locale = own_locale.and_then(|locale| self.offer(locale));
        let mut chain = own_locale.map_or_else(Vec::new, |offered| offered.texts.chain().to_vec());
        chain.extend_from_slice(self.english().texts.chain());
        chain
    }

    /// The operator's source for exactly this locale, otherwise for its language.
    fn own_source(&self, language: &LanguageIdentifier) -> Option<&str> {
        let texts = &self.tenant.settings.texts;
        let find = |tag: &str| {
            let same = |(locale, _): &(&Locale, _)| locale.as_str().eq_ignore_ascii_case(tag);
            texts.iter().find(same).map(|(_, source)| source.as_str())
        };
        find(&language.to_string()).or_else(|| find(language.language.as_str()))
    }

    fn english(&self) -> OfferedTexts {
        self.shipped.first().cloned().unwrap_or_else(|| OfferedTexts {
            texts: Arc::new(LocaleTexts::new(Vec::new())),
            content_language: HeaderValue::from_static("en"),
            language: LanguageIdentifier::default(),
        })
    }
}

/// The language identifier of a locale. `None` for a tag that has parts no language has.
fn language_of(locale: &Locale) -> Option<LanguageIdentifier> {
    locale.as_str().parse().ok()
}
