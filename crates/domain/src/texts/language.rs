//! Chooses the language of a response.

use fluent_langneg::NegotiationStrategy;
use fluent_langneg::negotiate::filter_matches;
use http::HeaderMap;
use http::header::ACCEPT_LANGUAGE;
use unic_langid::LanguageIdentifier;

const MAX_RANGES: usize = 16;

/// The best of the offered languages by `Accept-Language`, otherwise the default.
pub fn choose_language<'o, T: AsRef<LanguageIdentifier>>(
    headers: &HeaderMap,
    offered: &'o [T],
    default: &'o T,
) -> &'o T {
    if !headers.contains_key(ACCEPT_LANGUAGE) {
        return default;
    }
    for language in wanted_languages(headers) {
        let Some(language) = language else { return default };
        let found = filter_matches(&[language], offered, NegotiationStrategy::Lookup);
        if let Some(found) = found.into_iter().next() {
            return found;
        }
    }
    default
}

/// The requested languages, the preferred first. `None` stands for `*`, any language.
fn wanted_languages(headers: &HeaderMap) -> impl Iterator<Item = Option<LanguageIdentifier>> {
    let values = headers.get_all(ACCEPT_LANGUAGE).iter().filter_map(|value| value.to_str().ok());
    let ranges = values.flat_map(|value| value.split(',')).take(MAX_RANGES);
    let mut wanted: Vec<_> = ranges.filter_map(parse_range).filter(|(quality, _)| *quality > 0).collect();
    wanted.sort_by_key(|(quality, _)| std::cmp::Reverse(*quality));
    wanted.into_iter().map(|(_, language)| language)
}

/// Reads `de-AT;q=0.8` as quality in thousandths and language.
fn parse_range(range: &str) -> Option<(u16, Option<LanguageIdentifier>)> {
    let (tag, weight) = range.split_once(';').unwrap_or((range, "q=1"));
    let quality =
        parse_quality(weight.trim().strip_prefix(['q', 'Q'])?.trim_start().strip_prefix('=')?.trim())?;
    match tag.trim() {
        "*" => Some((quality, None)),
        tag => Some((quality, Some(tag.parse().ok()?))),
    }
}

/// Reads 0 to 1 with at most three decimals as thousandths.
fn parse_quality(text: &str) -> Option<u16> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    if decimals.len() > 3 || !decimals.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let thousandths: u16 = format!("{decimals:0<3}").parse().ok()?;
    match whole {
        "0" => Some(thousandths),
        "1" if thousandths == 0 => Some(1_000),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    fn chosen(ranges: &str) -> String {
        let offered: Vec<LanguageIdentifier> =
            ["en", "de", "ja", "pt-BR"].map(|tag| tag.parse().unwrap()).into();
        let default: LanguageIdentifier = "tr".parse().unwrap();
        let header = (ACCEPT_LANGUAGE, HeaderValue::from_bytes(ranges.as_bytes()).unwrap());
        choose_language(&HeaderMap::from_iter([header]), &offered, &default).to_string()
    }

    #[test]
    fn the_dearest_offered_language_wins() {
        assert_eq!(chosen("de, en"), "de");
        assert_eq!(chosen("de;q=0.7, en;q=0.8 , fr"), "en");
        assert_eq!(chosen("fr-FR, ja-JP; q=0.5"), "ja");
        assert_eq!(chosen("EN-us"), "en");
        assert_eq!(chosen("pt"), "pt-BR");
    }

    #[test]
    fn nothing_offered_leaves_the_default() {
        for ranges in [
            "",
            "fr",
            "en;q=0",
            "*",
            "*;q=0.9, de;q=0.5",
            "de;q=2",
            "de;level=1",
            "\u{ff}",
            ";;;,,=",
            "x-klingon",
        ] {
            assert_eq!(chosen(ranges), "tr", "{ranges}");
        }
    }

    #[test]
    fn only_the_first_languages_are_looked_at() {
        assert_eq!(chosen(&format!("{}de", "fr,".repeat(MAX_RANGES))), "tr");
    }

    #[test]
    fn no_header_leaves_the_default() {
        let (offered, default): (LanguageIdentifier, _) = ("en".parse().unwrap(), "tr".parse().unwrap());
        assert_eq!(*choose_language(&HeaderMap::new(), &[offered], &default), default);
    }
}
