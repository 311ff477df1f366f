//! What each campaign says of a ledger row, in sentences.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::empty;
use pointbook_access::console_kit::path_part::segment;
use pointbook_campaigns::{CampaignId, Compared, Reason, Verdict, VerdictResult};
use pointbook_http::pages::{PageError, Words, moment_text, pager, points};

use super::comparison::Comparison;
use super::paths::row_path;
use crate::campaigns::rules_cache::RulesCache;
use crate::earning::explain::Explanation;

const ROWS: u32 = 50;

/// A page of the verdicts.
pub(super) async fn verdicts(visit: &Visit<'_>, explanation: &Explanation) -> Result<Markup, PageError> {
    let entry = &explanation.entry;
    let window = visit.page(ROWS).window(u64::try_from(explanation.verdicts.len()).unwrap_or(u64::MAX));
    let address = row_path(visit, &entry.user_id, entry.transaction.id.as_str(), "?page=");
    Ok(html! {
        h2 { (visit.words.say("explain-campaigns")) }
        @if window.total == 0 { (empty(visit, "explain-no-campaigns")) }
        (list(visit, explanation, visit.page(ROWS).offset()).await?)
        (pager(visit.words, &window, &address))
    })
}

/// The first verdicts.
pub(super) async fn first_verdicts(
    visit: &Visit<'_>,
    explanation: &Explanation,
) -> Result<Markup, PageError> {
    list(visit, explanation, 0).await
}

/// The verdicts from this place on: those of campaigns that gave something come first.
async fn list(visit: &Visit<'_>, explanation: &Explanation, first: u64) -> Result<Markup, PageError> {
    let known = visit.served.state::<RulesCache>().known().await?;
    let title = |id: &CampaignId| {
        let newest = known.campaigns().get(id.as_str()).and_then(|versions| versions.last());
        let parsed = newest.and_then(|version| version.parsed().ok());
        let title = parsed.map(|version| version.campaign.title(None, &visit.served.tenant.locale));
        title.unwrap_or(id.as_str()).to_owned()
    };
    let mut all: Vec<&Verdict> = explanation.verdicts.iter().collect();
    all.sort_by_key(|verdict| matches!(verdict.result, VerdictResult::Not(_)));
    let first = usize::try_from(first).unwrap_or(usize::MAX);
    let shown = all.into_iter().skip(first).take(usize::try_from(ROWS).unwrap_or_default());
    let campaigns = visit.path("/campaigns/");
    let at = |at| moment_text(at, &visit.served, visit.words);
    let comparison = Comparison { words: visit.words, at: &at };
    Ok(html! {
        ul .found {
            @for verdict in shown {
                li {
                    a href={ (campaigns) (segment(verdict.campaign.as_str())) } { (title(&verdict.campaign)) } " "
                    span .quiet { (visit.words.with("explain-version", "number", verdict.version)) }
                    br;
                    (sentence(verdict, &comparison, &title))
                }
            }
        }
    })
}

/// `title` says the title of a campaign.
fn sentence(verdict: &Verdict, comparison: &Comparison<'_>, title: &dyn Fn(&CampaignId) -> String) -> String {
    let words = comparison.words;
    let text = match &verdict.result {
        VerdictResult::Applied { points: given } => {
            words.with_all("explain-applied", [("points", points(*given, words))])
        }
        VerdictResult::Clipped { points: given, by, would_be } => {
            let id = format!("explain-clipped-{}", by.as_str().replace('_', "-"));
            words.with_all(&id, [("points", points(*given, words)), ("count", points(*would_be, words))])
        }
        VerdictResult::Not(Reason::LostTo(other)) => {
            words.with_all("explain-lost-to", [("name", title(other))])
        }
        VerdictResult::Not(reason) => why(reason, words),
    };
    match &verdict.compared {
        Some(Compared { expected, actual }) => {
            let pair = [("expected", comparison.say(expected)), ("actual", comparison.say(actual))];
            format!("{text} {}", words.with_all("explain-compared", pair))
        }
        None => text,
    }
}

/// The sentence of a reason, with the attribute that it names.
fn why(reason: &Reason, words: &Words) -> String {
    let word = reason.as_str();
    let (word, name) = word.split_once(['.', ':']).unwrap_or((&word, ""));
    words.with_all(&format!("explain-{}", word.replace('_', "-")), [("name", name.to_owned())])
}

#[cfg(test)]
mod tests {
    use pointbook_access::console_kit::shared::SOURCES;
    use pointbook_campaigns::{ClippedBy, Fact, Phrase, Value};
    use pointbook_http::pages::Languages;

    use super::*;

    fn verdict(result: VerdictResult) -> Verdict {
        Verdict { campaign: CampaignId::new("spring").unwrap(), version: 1, result, compared: None }
    }

    #[test]
    fn every_reason_and_every_limit_has_its_sentence() {
        use Reason::*;
        let languages = Languages::new(SOURCES);
        let reasons = [
            BaseNotPositive,
            TooLate,
            NotStarted,
            OutsideWindow,
            Paused,
            Type,
            Window,
            Weekday,
            Hours,
            MinPoints,
            SourcePrefix,
            MemberSince,
            MemberBefore,
            NotAListedMember,
            NoBirthDate,
            NotBirthday,
            BirthDateTooNew,
            AlreadyThisYear,
            Ordinal,
            ControlGroup,
            RoundsToZero,
            UserLimit,
            Budget,
            Ceiling,
            TooManyBonuses,
            GivenByBackOffice,
            Import,
        ];
        for reason in reasons {
            let text = why(&reason, languages.english());
            assert!(
                text.starts_with("It gave nothing: ") || text.starts_with("It was not asked: "),
                "{reason}"
            );
        }
    }

    #[test]
    fn a_sentence_has_the_names_and_the_limit() {
        let languages = Languages::new(SOURCES);
        let words = languages.english();
        let attribute = why(&Reason::Attribute("a.b:c".to_owned()), words);
        let lost = verdict(VerdictResult::Not(Reason::LostTo(CampaignId::new("summer").unwrap())));
        let lost =
            sentence(&lost, &Comparison { words, at: &|at| at.to_string() }, &|_| "Summer days".to_owned());
        assert!(attribute.contains("a.b:c") && lost.contains("“Summer days”"), "{attribute} {lost}");
        for by in ClippedBy::ALL {
            let clipped = verdict(VerdictResult::Clipped { points: 5, by: *by, would_be: 9 });
            let text =
                sentence(&clipped, &Comparison { words, at: &|at| at.to_string() }, &|id| id.to_string());
            assert!(text.starts_with("It gave 5 points instead of 9 points, because "), "{text}");
        }
    }

    #[test]
    fn a_sentence_says_what_was_compared() {
        let languages = Languages::new(SOURCES);
        let expected = Fact::Phrase(Phrase::AtLeast, vec![Value::Number(1_000)]);
        let compared = Some(Compared { expected, actual: Value::Number(60).into() });
        let verdict = Verdict { compared, ..verdict(VerdictResult::Not(Reason::MinPoints)) };
        let comparison = Comparison { words: languages.english(), at: &|at| at.to_string() };
        let text = sentence(&verdict, &comparison, &|id| id.to_string());
        let expected =
            "It gave nothing: the activity earned too few points. It asks for: at least 1,000. Here: 60.";
        assert_eq!(text, expected);
    }
}
