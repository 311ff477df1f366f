//! Checks an operator's Fluent source before it is stored.

use fluent_bundle::resolver::ResolverError;
use fluent_bundle::{FluentError, FluentResource};
use unic_langid::LanguageIdentifier;

use super::layer::{COUNT, Layer, ORDER_COUNT, Tally, message_ids, type_name};
use crate::ActivityType;
use crate::activity::DOCUMENTED_ACTIVITY_TYPES;
use crate::settings::SettingRule;

/// Checks a tenant's texts for one locale. Every message must be well formed. Its name must be `TYPE-title` or `TYPE-count`, for
/// a documented or `declared` activity type or for `activity`, which serves all others. It may use only `$count`, and only in a
/// count; a count of orders may also use `$refunds`.
///
/// # Errors
/// The rule that the first wrong line breaks. Its lines count from 1.
pub fn check_source(source: &str, declared: &[ActivityType]) -> Result<(), SettingRule> {
    let read = FluentResource::try_new(source.to_owned());
    let resource = read.map_err(|(_, errors)| syntax_error(source, &errors))?;
    let layer = Layer::new(&LanguageIdentifier::default(), &[source]);
    for id in message_ids(&resource) {
        let line = line_of_message(source, id);
        if !is_known(id, declared) {
            return Err(SettingRule::UnknownText { line, name: id.to_owned() });
        }
        check_formatting(&layer, id, line)?;
    }
    Ok(())
}

fn is_known(id: &str, declared: &[ActivityType]) -> bool {
    type_name(id).is_some_and(|name| {
        name == "activity"
            || DOCUMENTED_ACTIVITY_TYPES.contains(&name)
            || declared.iter().any(|kind| kind.as_str() == name)
    })
}

/// Formats a message as requests do, for counts with different plural forms.
fn check_formatting(layer: &Layer, id: &str, line: usize) -> Result<(), SettingRule> {
    let (name, mut errors) = (id.to_owned(), Vec::new());
    if tallies(id).into_iter().any(|tally| layer.format(id, tally, &mut errors).is_none()) {
        return Err(SettingRule::EmptyText { line, name });
    }
    let Some(error) = errors.first() else { return Ok(()) };
    Err(match error {
        FluentError::ResolverError(error @ ResolverError::Reference(_)) => {
            // It says "Unknown variable: $name".
            let problem = error.to_string();
            let reference = problem.rsplit(' ').next().unwrap_or_default().to_owned();
            SettingRule::UnknownReference { line, name, reference }
        }
        other => SettingRule::TextFails { line, name, problem: other.to_string() },
    })
}

fn tallies(id: &str) -> Vec<Option<Tally>> {
    const COUNTS: [usize; 6] = [0, 1, 2, 5, 11, 100];
    let refunds: &[usize] = if id == ORDER_COUNT { &COUNTS } else { &[0] };
    let with = |refunds: usize| COUNTS.map(|count| Some(Tally { count, refunds }));
    if id.ends_with(COUNT) { refunds.iter().copied().flat_map(with).collect() } else { vec![None] }
}

fn syntax_error(source: &str, errors: &[fluent_syntax::parser::ParserError]) -> SettingRule {
    let Some(first) = errors.iter().min_by_key(|error| error.pos.start) else {
        return SettingRule::TextsSyntax { line: 1, problem: "this is no Fluent source".to_owned() };
    };
    let (before, behind) = source.split_at_checked(first.pos.start).unwrap_or((source, ""));
    // The parser notices a missing part only at the next text. The mistake is where the last one ended.
    let is_gap = behind.chars().next().is_none_or(char::is_whitespace);
    let before = if is_gap { before.trim_end() } else { before };
    SettingRule::TextsSyntax { line: before.matches('\n').count() + 1, problem: first.kind.to_string() }
}

fn line_of_message(source: &str, id: &str) -> usize {
    let begins = |line: &str| line.strip_prefix(id).is_some_and(|rest| rest.trim_start().starts_with('='));
    source.lines().position(begins).map_or(1, |place| place + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(source: &str) -> String {
        let declared = [ActivityType::new("checkin").unwrap()];
        check_source(source, &declared).map_or_else(|error| error.to_string(), |()| String::new())
    }

    #[test]
    fn good_texts_pass() {
        assert_eq!(
            problem(
                "# ours\n-brand = Acme\ncode-title = { -brand } scan\ncheckin-title = Check-in\n\
                 checkin-count = { NUMBER($count) ->\n    [one] once\n   *[other] { $count } times\n }\nactivity-title = Other\n"
            ),
            ""
        );
    }

    #[test]
    fn a_syntax_error_names_its_line() {
        assert!(problem("code-title = Scan\n\ncode-count { $count }\n").starts_with("line 3: "));
        assert!(problem("code-title = Scan\ncode-count = { $count\n").starts_with("line 2: "));
    }

    #[test]
    fn an_unknown_text_names_its_line() {
        assert_eq!(
            problem("code-title = Scan\ncdoe-title = Scan\n"),
            "line 2: there is no text \"cdoe-title\"; texts are TYPE-title and TYPE-count"
        );
        assert!(problem("survey-title = Survey").starts_with("line 1: "));
    }

    #[test]
    fn a_text_knows_no_variable_but_its_count() {
        assert_eq!(
            problem("code-title = Scan\nvideo-count = { $cuont } videos"),
            "line 2: video-count uses $cuont, which it does not have"
        );
        assert!(problem("code-title = { $count } scans").starts_with("line 1: code-title uses "));
        assert!(problem("code-count = { $refunds }").starts_with("line 1: code-count uses "));
        assert_eq!(problem("order-count = { $count } and { $refunds }"), "");
        let seldom = "order-count = { $refunds ->\n    [11] { $refnds }\n   *[other] { $count }\n }";
        assert!(problem(seldom).starts_with("line 1: order-count uses "));
        assert!(problem("code-title = { other }").starts_with("line 1: code-title uses "));
    }
}
