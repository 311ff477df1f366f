//! The kinds of refusals, so that a page can say them in other languages.

/// The rules of refused rows, with `{}` for what differs, and the names of their kinds. The first that fits counts.
const RULES: [(&str, &str); 44] = [
    ("is required", "required"),
    ("must not be empty", "empty"),
    ("must not be longer than {} characters", "too-long"),
    ("must be a whole number", "not-whole"),
    ("must be true or false", "not-boolean"),
    ("must be a string", "not-text"),
    ("must not contain U+0000", "nul"),
    ("must be between {} and {}", "out-of-range"),
    ("with its bonuses must be between {} and {}", "bonuses-out-of-range"),
    ("in total must be between {} and {}", "bonuses-out-of-range"),
    ("must not have negative points", "negative"),
    ("must not have more than {} items", "too-many"),
    ("must not have more than {} names", "too-many"),
    ("must be a list", "not-a-list"),
    ("must be a date-time such as {}, got {}", "not-a-time"),
    ("must be a date-time such as {}, as a string", "time-not-text"),
    ("must say its zone: {}", "no-zone"),
    ("must be a date such as {}, got {}", "not-a-day"),
    ("must be a date such as {}, as a string", "day-not-text"),
    ("must not be in the future", "future"),
    ("must be an absolute URL that begins with http:// or https://", "not-a-url"),
    ("must not be above regular_price", "above-regular"),
    ("must not nest elements deeper than {}", "too-complex"),
    ("a locale is a language tag such as {}", "not-a-locale"),
    ("must have 1 to 32 characters of a-z, 0-9, _ and -", "not-a-name"),
    ("must be an object with {}", "not-an-object"),
    ("must be a JSON object with {}", "not-an-object"),
    ("is not valid JSON: {}", "not-json"),
    ("has the name {} twice", "twice"),
    ("appears twice", "field-twice"),
    ("{} appears twice", "twice"),
    ("{} is not a known field", "unknown-field"),
    ("the name {} must have 1 to 32 characters of a-z, 0-9, _ and -", "attribute-name"),
    ("the value of {} must have 1 to 200 characters, and no U+0000", "attribute-value"),
    ("the value of {} must be a string", "attribute-not-text"),
    ("the tenant has no activity type {}", "unknown-type"),
    ("recorded before with other content", "recorded"),
    ("the balance would be out of range", "balance"),
    ("the row has {} cells but the header has {}", "cells"),
    ("the row is not UTF-8{}", "not-utf8"),
    ("the row is not valid JSON: {}", "row-not-json"),
    ("the row is longer than {} bytes{}", "row-too-long"),
    ("a quote is not closed{}", "open-quote"),
    ("cell {} continues after its closing quote{}", "quote-in-cell"),
];

/// A kind of refusal with the parts of its rule that differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal<'r> {
    pub kind: &'static str,
    pub parts: Vec<&'r str>,
}

impl<'r> Refusal<'r> {
    /// The kind of a broken rule. `None` for a rule without a kind.
    pub fn of(rule: &'r str) -> Option<Self> {
        RULES.iter().find_map(|(pattern, kind)| Some(Self { kind, parts: parts(pattern, rule)? }))
    }
}

/// The names of all kinds.
pub fn refusal_kinds() -> impl Iterator<Item = &'static str> {
    RULES.iter().map(|(_, kind)| *kind)
}

/// What stands in the places of `{}`. `None` when the rule is another one.
fn parts<'r>(pattern: &str, rule: &'r str) -> Option<Vec<&'r str>> {
    let mut fixed = pattern.split("{}");
    let mut rest = rule.strip_prefix(fixed.next()?)?;
    let (mut parts, mut fixed) = (Vec::new(), fixed.peekable());
    while let Some(text) = fixed.next() {
        // Before the last piece, what differs goes up to the end of the rule. It may have the text of the piece in it.
        let at = if fixed.peek().is_some() { rest.find(text)? } else { rest.strip_suffix(text)?.len() };
        let (part, after) = rest.split_at_checked(at)?;
        parts.push(part);
        rest = after.strip_prefix(text)?;
    }
    rest.is_empty().then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rule: &str) -> Option<(&'static str, Vec<&str>)> {
        Refusal::of(rule).map(|Refusal { kind, parts }| (kind, parts))
    }

    #[test]
    fn a_rule_has_a_kind_and_what_differs() {
        assert_eq!(of("is required"), Some(("required", vec![])));
        assert_eq!(of("is required now"), None);
        assert_eq!(of("must not be longer than 255 characters"), Some(("too-long", vec!["255"])));
        assert_eq!(of("must be between -5 and 7"), Some(("out-of-range", vec!["-5", "7"])));
        assert_eq!(of("appears twice"), Some(("field-twice", vec![])));
        assert_eq!(of("\"a\" appears twice"), Some(("twice", vec!["\"a\""])));
        let hostile = "\" appears twice appears twice\" appears twice";
        assert_eq!(of(hostile), Some(("twice", vec!["\" appears twice appears twice\""])));
        let day = "must be a date such as 1984-02-29 (YYYY-MM-DD), got \"x, got y\"";
        assert_eq!(of(day), Some(("not-a-day", vec!["1984-02-29 (YYYY-MM-DD)", "\"x, got y\""])));
        assert_eq!(of("something else"), None);
    }
}
