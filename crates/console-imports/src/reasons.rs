//! Why a row is refused, in the language of the page. The file of refused rows has the reasons in English, for programs.

use pointbook_console_kit::import_jobs::RefusedRow;
use pointbook_console_kit::visit::Visit;
use pointbook_files::import::Refusal;
use pointbook_page_kit::number;

/// All shown problems of a row.
pub(crate) fn reasons(visit: &Visit<'_>, row: &RefusedRow) -> String {
    let mut told: Vec<String> = row.problems.iter().map(|(path, rule)| reason(visit, path, rule)).collect();
    if row.more > 0 {
        let more = number(i64::try_from(row.more).unwrap_or(i64::MAX), visit.words);
        told.push(visit.words.with("import-more-problems", "number", more).into_owned());
    }
    told.join("; ")
}

/// A rule without a text of its kind stays in English.
fn reason(visit: &Visit<'_>, path: &str, rule: &str) -> String {
    let text = Refusal::of(rule).map(|Refusal { kind, parts }| {
        let part = |place: usize| parts.get(place).copied().unwrap_or_default().to_owned();
        visit.words.with_all(&text_id(kind), [("part", part(0)), ("other", part(1))])
    });
    let text = text.filter(|text| !text.is_empty()).unwrap_or_else(|| rule.to_owned());
    if path.is_empty() { text } else { format!("{path}: {text}") }
}

fn text_id(kind: &str) -> String {
    format!("import-rule-{kind}")
}

#[cfg(test)]
mod tests {
    use pointbook_console_kit::shared::SOURCES;
    use pointbook_files::import::refusal_kinds;
    use pointbook_page_kit::Languages;

    use super::*;

    /// Another test compares the languages with each other.
    #[test]
    fn every_kind_of_refusal_has_a_text() {
        let languages = Languages::new(SOURCES);
        let words = languages.choose(&http::HeaderMap::new());
        for kind in refusal_kinds() {
            assert!(!words.say(&text_id(kind)).is_empty(), "{kind}");
        }
    }
}
