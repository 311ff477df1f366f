//! Why a row or a file is refused, in the language of the page. The file of refused rows has the reasons in English, for
//! programs.

use pointbook_http::pages::{Words, number};

use crate::console::import_jobs::{Reasons, ShownProblem};
use crate::import::Problems;

/// The longest path or value of a problem that is kept, in characters.
const MAX_PART_CHARS: usize = 300;

/// The first problems, and how many there are beyond them.
pub(crate) fn reasons_of(problems: &Problems, shown: usize) -> Reasons {
    let clipped = |text: &str| text.chars().take(MAX_PART_CHARS).collect();
    let shown = problems.iter().take(shown).map(|(path, rule)| {
        let parts = rule.parts().into_iter().map(|(name, value)| (name, clipped(&value)));
        ShownProblem { path: clipped(path), kind: rule.kind(), parts: parts.collect() }
    });
    let shown: Vec<_> = shown.collect();
    Reasons { more: problems.iter().len() - shown.len(), problems: shown }
}

/// The text of each problem, and last the number of those that are not shown.
pub(crate) fn reason_texts(words: &Words, reasons: &Reasons) -> Vec<String> {
    let mut reason_texts: Vec<String> = reasons.problems.iter().map(|problem| text(words, problem)).collect();
    if reasons.more > 0 {
        let more = number(i64::try_from(reasons.more).unwrap_or(i64::MAX), words);
        reason_texts.push(words.with("import-more-problems", "number", more).into_owned());
    }
    reason_texts
}

fn text(words: &Words, problem: &ShownProblem) -> String {
    let ShownProblem { path, kind, parts } = problem;
    let text = words.with_all(&format!("import-rule-{kind}"), parts.iter().cloned());
    if path.is_empty() { text } else { format!("{path}: {text}") }
}

#[cfg(test)]
mod tests {
    use pointbook_access::console_kit::shared::SOURCES;
    use pointbook_http::pages::Languages;

    use super::*;
    use crate::import::Rule;

    #[test]
    fn every_rule_has_a_text_with_its_values_in_every_language() {
        let languages = Languages::new(SOURCES);
        for (tag, _) in SOURCES {
            let headers = [(http::header::ACCEPT_LANGUAGE, http::HeaderValue::from_static(tag))];
            let words = languages.choose(&headers.into_iter().collect());
            assert_eq!(words.tag, tag);
            for (kind, parts) in Rule::KINDS {
                let parts = parts.iter().map(|part| (*part, "VALUE".to_owned())).collect();
                let reason_texts = text(words, &ShownProblem { path: String::new(), kind, parts });
                assert!(
                    !reason_texts.is_empty() && !reason_texts.contains('$'),
                    "{tag} {kind}: {reason_texts}"
                );
            }
        }
    }

    #[test]
    fn only_the_first_problems_are_kept_and_the_others_counted() {
        let languages = Languages::new(SOURCES);
        let problems = Problems::from(Rule::NoZone { time: "x".repeat(10_000) });
        let reasons = reasons_of(&problems, 5);
        assert_eq!(reasons.problems[0].parts[0].1.len(), MAX_PART_CHARS);
        assert_eq!((reasons.more, reasons_of(&problems, 0).more), (0, 1));
        assert_eq!(reason_texts(languages.english(), &reasons_of(&problems, 0)), ["and 1 more"]);
    }
}
