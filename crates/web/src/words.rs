//! The texts of pages, in all shipped languages.

use std::borrow::Cow;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use http::{HeaderMap, HeaderValue};
use pointbook_texts::{OfferedTexts, choose_language};
use unic_langid::LanguageIdentifier;

/// The languages, the fallback first.
const SOURCES: [(&str, &str); 4] = [
    ("en", include_str!("../locales/en.ftl")),
    ("de", include_str!("../locales/de.ftl")),
    ("ja", include_str!("../locales/ja.ftl")),
    ("tr", include_str!("../locales/tr.ftl")),
];

/// The tags of the languages of pages.
pub fn languages() -> impl Iterator<Item = &'static str> {
    SOURCES.iter().map(|(tag, _)| *tag)
}

/// The texts of pages in all languages.
pub(crate) struct Languages(Vec<Words>);

/// The texts of pages in one language.
pub(crate) struct Words {
    pub(crate) tag: &'static str,
    pub(crate) content_language: HeaderValue,
    language: LanguageIdentifier,
    bundle: FluentBundle<FluentResource>,
}

impl AsRef<LanguageIdentifier> for Words {
    fn as_ref(&self) -> &LanguageIdentifier {
        &self.language
    }
}

impl Default for Languages {
    fn default() -> Self {
        Self(SOURCES.into_iter().map(|(tag, source)| Words::new(tag, source)).collect())
    }
}

impl Languages {
    /// The texts in the language of the point history, otherwise in English.
    pub(crate) fn of(&self, texts: &OfferedTexts) -> &Words {
        let tag = texts.content_language.to_str().unwrap_or_default();
        let language = tag.split('-').next().unwrap_or_default();
        self.0.iter().find(|words| words.tag == language).unwrap_or_else(|| self.english())
    }

    /// The texts in the language of the browser, otherwise in English. For pages that are of no tenant.
    pub(crate) fn choose(&self, headers: &HeaderMap) -> &Words {
        choose_language(headers, &self.0, self.english())
    }

    fn english(&self) -> &Words {
        match self.0.first() {
            Some(words) => words,
            None => unreachable!("there are four languages"),
        }
    }
}

impl Words {
    fn new(tag: &'static str, source: &str) -> Self {
        let language: LanguageIdentifier = tag.parse().unwrap_or_default();
        let mut bundle = FluentBundle::new_concurrent(vec![language.clone()]);
        // Isolation marks are for texts of mixed direction.
        bundle.set_use_isolating(false);
        let resource = FluentResource::try_new(source.to_owned()).unwrap_or_else(|(resource, _)| resource);
        bundle.add_resource_overriding(resource);
        Self { tag, content_language: HeaderValue::from_static(tag), language, bundle }
    }

    /// The text of this id. A test proves that every language has every text.
    pub(crate) fn say(&self, id: &str) -> Cow<'_, str> {
        self.format(id, None)
    }

    /// The text of this id with one value in it.
    pub(crate) fn with<'v>(
        &'v self,
        id: &str,
        name: &'v str,
        value: impl Into<FluentValue<'v>>,
    ) -> Cow<'v, str> {
        let mut arguments = FluentArgs::new();
        arguments.set(name, value);
        self.format(id, Some(&arguments)).into_owned().into()
    }

    /// The text of this id with several values in it.
    pub(crate) fn with_all<const N: usize>(&self, id: &str, values: [(&str, String); N]) -> String {
        let arguments: FluentArgs<'_> = values.into_iter().collect();
        self.format(id, Some(&arguments)).into_owned()
    }

    fn format<'v>(&'v self, id: &str, arguments: Option<&'v FluentArgs<'_>>) -> Cow<'v, str> {
        let pattern = self.bundle.get_message(id).and_then(|message| message.value());
        pattern
            .map(|pattern| self.bundle.format_pattern(pattern, arguments, &mut Vec::new()))
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn ids(source: &str) -> BTreeSet<&str> {
        let lines = source.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_lowercase()));
        lines.filter_map(|line| line.split_once(" =").map(|(id, _)| id)).collect()
    }

    #[test]
    fn every_language_has_the_same_texts_without_a_mistake() {
        let english = ids(SOURCES[0].1);
        for (tag, source) in SOURCES {
            assert_eq!(ids(source), english, "{tag}");
            assert!(FluentResource::try_new(source.to_owned()).is_ok(), "{tag}");
            let words = Words::new(tag, source);
            for id in &english {
                let mut errors = Vec::new();
                let pattern = words.bundle.get_message(id).unwrap().value().unwrap();
                let names = [
                    "count", "points", "title", "name", "page", "pages", "day", "month", "year", "example",
                    "version", "date", "time",
                ];
                let arguments: FluentArgs<'_> = names.into_iter().map(|name| (name, 3)).collect();
                words.bundle.format_pattern(pattern, Some(&arguments), &mut errors);
                assert!(errors.is_empty(), "{tag} {id}: {errors:?}");
            }
        }
    }
}
