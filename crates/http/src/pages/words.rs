//! The texts of pages, in all shipped languages.

use std::borrow::Cow;
use std::collections::BTreeSet;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use http::{HeaderMap, HeaderValue};
use pointbook_domain::Locale;
use pointbook_domain::texts::{OfferedTexts, choose_language};
use unic_langid::LanguageIdentifier;

/// Texts in one language: its tag, and their Fluent source.
pub type Source = (&'static str, &'static str);

/// The texts that shop and console share. The fallback is first.
const SHARED: [Source; 4] = [
    ("en", include_str!("../../locales/en.ftl")),
    ("de", include_str!("../../locales/de.ftl")),
    ("ja", include_str!("../../locales/ja.ftl")),
    ("tr", include_str!("../../locales/tr.ftl")),
];

/// The tags of the languages of pages.
pub fn languages() -> impl Iterator<Item = &'static str> {
    SHARED.iter().map(|(tag, _)| *tag)
}

/// The texts of the shop or of the console in all languages, with the texts that both share.
pub struct Languages(Vec<Words>);

/// The texts of pages in one language.
pub struct Words {
    pub tag: &'static str,
    pub content_language: HeaderValue,
    language: LanguageIdentifier,
    bundle: FluentBundle<FluentResource>,
}

impl AsRef<LanguageIdentifier> for Words {
    fn as_ref(&self) -> &LanguageIdentifier {
        &self.language
    }
}

impl Languages {
    /// The texts of the shop or of the console: one source for each of [`languages`].
    pub fn new(sources: [Source; 4]) -> Self {
        let of_room = |tag| sources.iter().find(|(known, _)| *known == tag).map_or("", |(_, source)| source);
        Self(SHARED.into_iter().map(|(tag, shared)| Words::new(tag, [shared, of_room(tag)])).collect())
    }

    /// The texts in the language of the point history, otherwise in English.
    pub fn of(&self, texts: &OfferedTexts) -> &Words {
        let tag = texts.content_language.to_str().unwrap_or_default();
        let language = tag.split('-').next().unwrap_or_default();
        self.0.iter().find(|words| words.tag == language).unwrap_or_else(|| self.english())
    }

    /// The texts in the language of the browser, otherwise in English. For pages that are of no tenant.
    pub fn choose(&self, headers: &HeaderMap) -> &Words {
        choose_language(headers, &self.0, self.english())
    }

    /// The texts in the language of the browser, otherwise in that of this locale, otherwise in English. For pages that a tenant does
    /// not write: its display texts and the languages that its apps may choose change nothing.
    pub fn choose_or(&self, headers: &HeaderMap, locale: &Locale) -> &Words {
        let language = locale.as_str().split('-').next().unwrap_or_default();
        let own = self.0.iter().find(|words| words.tag == language);
        choose_language(headers, &self.0, own.unwrap_or_else(|| self.english()))
    }

    pub fn english(&self) -> &Words {
        match self.0.first() {
            Some(words) => words,
            None => unreachable!("there are four languages"),
        }
    }
}

impl Words {
    fn new(tag: &'static str, sources: [&str; 2]) -> Self {
        let language: LanguageIdentifier = tag.parse().unwrap_or_default();
        let mut bundle = FluentBundle::new_concurrent(vec![language.clone()]);
        // Isolation marks are for texts of mixed direction.
        bundle.set_use_isolating(false);
        for source in sources {
            let resource =
                FluentResource::try_new(source.to_owned()).unwrap_or_else(|(resource, _)| resource);
            bundle.add_resource_overriding(resource);
        }
        Self { tag, content_language: HeaderValue::from_static(tag), language, bundle }
    }

    /// The text of this id. One test of the shop and one of the console prove with [`text_faults`] that every language has it.
    pub fn say(&self, id: &str) -> Cow<'_, str> {
        self.format(id, None)
    }

    /// The text of this id with one value in it.
    pub fn with<'v>(&'v self, id: &str, name: &'v str, value: impl Into<FluentValue<'v>>) -> Cow<'v, str> {
        let mut arguments = FluentArgs::new();
        arguments.set(name, value);
        self.format(id, Some(&arguments)).into_owned().into()
    }

    /// The text of this id with several values in it.
    pub fn with_all<'n>(&self, id: &str, values: impl IntoIterator<Item = (&'n str, String)>) -> String {
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

/// What is wrong with texts: an id that a language lacks, or has and English does not, and mistakes of Fluent.
/// `names` are the values that the texts take.
pub fn text_faults(sources: [Source; 4], names: &[&str]) -> Vec<String> {
    let mut faults = Vec::new();
    let english = sources.first().map(|(_, source)| ids(source)).unwrap_or_default();
    for (tag, source) in sources {
        faults.extend(ids(source).symmetric_difference(&english).map(|id| format!("{tag}: {id}")));
        if let Err((_, errors)) = FluentResource::try_new(source.to_owned()) {
            faults.extend(errors.iter().map(|error| format!("{tag}: {error}")));
        }
        let words = Words::new(tag, [source, ""]);
        let arguments: FluentArgs<'_> = names.iter().map(|name| (*name, 3)).collect();
        for message in ids(source).into_iter().filter_map(|id| words.bundle.get_message(id)) {
            let mut errors = Vec::new();
            if let Some(pattern) = message.value() {
                words.bundle.format_pattern(pattern, Some(&arguments), &mut errors);
            }
            faults.extend(errors.iter().map(|error| format!("{tag}: {error}")));
        }
    }
    faults
}

/// The ids at the beginnings of lines.
fn ids(source: &str) -> BTreeSet<&str> {
    let lines = source.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_lowercase()));
    lines.filter_map(|line| line.split_once(" =").map(|(id, _)| id)).collect()
}

#[cfg(test)]
mod tests {
    use http::header::ACCEPT_LANGUAGE;

    use super::*;

    #[test]
    fn every_language_has_the_same_texts_without_a_mistake() {
        assert_eq!(
            text_faults(
                SHARED,
                &[
                    "points", "page", "pages", "day", "month", "year", "date", "time", "number", "whole",
                    "tenth"
                ]
            ),
            [""; 0]
        );
    }

    #[test]
    fn a_browser_without_a_shipped_language_gets_that_of_the_locale_or_english() {
        let languages = Languages::new([("en", ""), ("de", ""), ("ja", ""), ("tr", "")]);
        for (ranges, locale, tag) in [
            ("de-AT, en;q=0.5", "ja", "de"),
            ("fr", "ja-JP", "ja"),
            ("fr", "tr-TR", "tr"),
            ("fr", "sv", "en"),
            ("*", "de", "de"),
        ] {
            let headers = HeaderMap::from_iter([(ACCEPT_LANGUAGE, HeaderValue::from_static(ranges))]);
            let chosen = languages.choose_or(&headers, &Locale::new(locale).unwrap());
            assert_eq!(chosen.tag, tag, "{ranges} {locale}");
        }
    }

    #[test]
    fn a_mistake_in_a_text_is_found() {
        let sources = [
            ("en", "a = A { $b }\nc = C\n"),
            ("de", "a = A\n"),
            ("ja", "a = {\nc = C"),
            ("tr", "a = A\nc = C\n"),
        ];
        let faults = text_faults(sources, &[]).join("\n");
        for part in ["en: ", "de: c", "ja: "] {
            assert!(faults.contains(part), "{faults}");
        }
        assert!(!faults.contains("tr: "), "{faults}");
    }
}
