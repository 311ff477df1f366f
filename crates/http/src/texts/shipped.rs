//! The languages that come with the service.

use std::sync::Arc;

use fluent_bundle::FluentResource;
use unic_langid::LanguageIdentifier;

use super::LocaleTexts;
use super::layer::{Layer, resource};

const SOURCES: [(&str, &str); 4] = [
    ("en", include_str!("../../locales/en.ftl")),
    ("de", include_str!("../../locales/de.ftl")),
    ("ja", include_str!("../../locales/ja.ftl")),
    ("tr", include_str!("../../locales/tr.ftl")),
];

/// The languages whose display texts come with the service, as tags.
pub fn shipped_languages() -> impl Iterator<Item = &'static str> {
    SOURCES.iter().map(|(tag, _)| *tag)
}

/// The shipped languages, the last resort of all texts first.
pub(super) struct Shipped(Vec<ShippedLanguage>);

pub(super) struct ShippedLanguage {
    pub(super) language: LanguageIdentifier,
    pub(super) resource: Arc<FluentResource>,
    pub(super) texts: Arc<LocaleTexts>,
}

impl Default for Shipped {
    fn default() -> Self {
        Self(SOURCES.into_iter().filter_map(|(tag, source)| read(tag, source)).collect())
    }
}

fn read(tag: &str, source: &str) -> Option<ShippedLanguage> {
    let language: LanguageIdentifier = tag.parse().ok()?;
    let resource = resource(source);
    let chain = vec![Arc::new(Layer::new(&language, std::slice::from_ref(&resource)))];
    let texts = Arc::new(LocaleTexts::new(chain));
    Some(ShippedLanguage { language, resource, texts })
}

impl Shipped {
    /// The shipped texts of a language, whatever its script and region.
    pub(super) fn of(&self, language: &LanguageIdentifier) -> Option<&ShippedLanguage> {
        self.0.iter().find(|shipped| shipped.language.language == language.language)
    }

    pub(super) fn all(&self) -> &[ShippedLanguage] {
        &self.0
    }
}
