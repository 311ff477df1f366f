//! What the value of a setting must be.

use crate::rules;

rules! {
    /// The rule that a setting breaks. Its text stands behind the name of the setting.
    pub enum SettingRule;

    OutOfRange { min: u32, max: u32 } "out-of-range" "must be an integer from {min} to {max}";
    /// The default page size is above the largest one.
    AboveMax { max: u32 } "above-max" "must be at most page_size_max, which is {max}";
    NotBoolean "not-boolean" "must be true or false";
    NotALeapBirthday { got: String } "not-a-leap-birthday" "must be 02-28 or 03-01, got {got:?}";
    NotAPolicy { got: String } "not-a-policy"
        "must be never, after:24-months:month (months or days, from 1, then day, month, quarter or year), year-end:1 or inactivity:12-months (only months), for at most 100 years, got {got:?}";
    NotAnExpiryType { got: String } "not-an-expiry-type" "must be expiry or order, got {got:?}";
    /// Points end, and nothing says as what.
    NoExpiryType "no-expiry-type"
        "must be expiry or order when points end: the history shows their end as rows of the type expiry, or as rows of the documented type order";
    /// The tenant does not have the type.
    UndeclaredType { part: String } "undeclared-type"
        "has a part {part:?}, which is neither a documented type nor one of activity_types";
    NoTypeExpiry "no-type-expiry" "must have the type expiry, because points_expire_as is expiry";
    NotNoticeDays { most: usize, max: u32, got: String } "not-notice-days"
        "must be off, or up to {most} numbers of days from 1 to {max} with commas, got {got:?}";
    NotAZone { got: String } "not-a-zone" "must be an IANA name such as Europe/Berlin or UTC, got {got:?}";
    /// The form is right, but the zone data has no such zone.
    UnknownZone { got: String } "unknown-zone"
        "there is no time zone {got:?}: use an IANA name such as Europe/Berlin or UTC";
    BadOrigin { part: String } "bad-origin"
        "has a part {part:?}: an origin is http://HOST[:PORT] or https://HOST[:PORT]";
    BadType { part: String } "bad-type" "has a part {part:?}: must have 1 to 32 characters of a-z, 0-9, _ and -";
    BadLocale { part: String } "bad-locale"
        "has a part {part:?}: a locale is a language tag such as en, de-AT or zh-Hant";
    NotALocale "not-a-locale" "a locale is a language tag such as en, de-AT or zh-Hant";
    TextsLocale "texts-locale" "is refused: a locale is a language tag such as en, de-AT or zh-Hant";
    NotAColor { got: String } "not-a-color" "must be a colour as #rrggbb, got {got:?}";
    NotAUrl { bytes: usize } "not-a-url" "must be an http or https URL of at most {bytes} bytes";
    NotALine { chars: usize } "not-a-line" "must have 1 to {chars} characters on one line";
    TextsSyntax { line: usize, problem: String } "texts-syntax" "line {line}: {problem}";
    UnknownText { line: usize, name: String } "unknown-text"
        "line {line}: there is no text {name:?}; texts are TYPE-title and TYPE-count";
    EmptyText { line: usize, name: String } "empty-text" "line {line}: {name} has no text";
    /// A variable, message, term or function that the text does not have.
    UnknownReference { line: usize, name: String, reference: String } "unknown-reference"
        "line {line}: {name} uses {reference}, which it does not have";
    TextFails { line: usize, name: String, problem: String } "text-fails" "line {line}: {name}: {problem}";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ActivityType, Locale};

    #[test]
    fn parts_of_lists_have_the_rules_of_their_types() {
        let part = || String::from("a b");
        let (kind, locale) = (ActivityType::new("a b").unwrap_err(), Locale::new("a b").unwrap_err());
        assert_eq!(SettingRule::BadType { part: part() }.to_string(), format!("has a part \"a b\": {kind}"));
        assert_eq!(
            SettingRule::BadLocale { part: part() }.to_string(),
            format!("has a part \"a b\": {locale}")
        );
        assert_eq!(SettingRule::NotALocale.to_string(), locale.to_string());
        assert_eq!(SettingRule::TextsLocale.to_string(), format!("is refused: {locale}"));
    }

    #[test]
    fn a_rule_has_its_kind_and_the_values_that_differ() {
        let rule = SettingRule::OutOfRange { min: 1, max: 7 };
        let parts = vec![("min", "1".to_owned()), ("max", "7".to_owned())];
        assert_eq!((rule.kind(), rule.parts()), ("out-of-range", parts));
        assert!(SettingRule::KINDS.contains(&("out-of-range", &["min", "max"])));
    }
}
