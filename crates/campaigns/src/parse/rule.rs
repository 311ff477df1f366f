//! The rules that a definition can break.

use pointbook_domain::id::IdError;
use pointbook_domain::rules;

use super::fault::FaultCode;

rules! {
    /// What a field must be. It displays the sentence of the interface, without the name of the field. Texts in `got` are short and
    /// quoted.
    pub enum FaultRule;

    Required "required" "is required";
    OwnLocale "own-locale" "is required, because it is the tenant's own locale";
    UnknownField { names: String } "unknown-field" "is not known here; the known fields are {names}";
    NotAString { got: String } "not-a-string" "must be a string, got {got}";
    NotAnInteger { got: String } "not-an-integer" "must be an integer, got {got}";
    NotABoolean { got: String } "not-a-boolean" "must be true or false, got {got}";
    NotAnArray { got: String } "not-an-array" "must be an array, got {got}";
    NotAnObject "not-an-object" "must be an object";
    /// Of an object whose names are data.
    NotEntries { got: String } "not-an-object" "must be an object, got {got}";
    NotATime { got: String } "not-a-time"
        "must be a date-time with seconds and with Z or an offset, such as 2026-11-14T00:00:00Z, got {got}";
    /// Of a field of a page, which has the time zone of the tenant.
    NotALocalTime "not-a-local-time" "must be a date and a time";
    NotADay { got: String } "not-a-day" "must be a date such as 2026-11-14, got {got}";
    NotATimeOfDay { latest: &'static str, got: String } "not-a-time-of-day"
        "must be a time from 00:00 to {latest}, got {got}";
    NotAName { got: String } "not-a-name" "must have 1 to 64 characters of a-z, 0-9, _ and -, got {got}";
    NotAType { got: String } "not-a-type" "must have 1 to 32 characters of a-z, 0-9, _ and -, got {got}";
    NotAnId { rule: IdError, got: String } "not-an-id" "{rule}, got {got}";
    LocaleName "locale-name" "must have a language tag such as en, de-AT or zh-Hant as its name";
    AttributeName "attribute-name" "has a name that must have 1 to 32 characters of a-z, 0-9, _ and -";
    AttributeValue { got: String } "attribute-value" "must have 1 to 200 characters, and no U+0000, got {got}";
    InvalidChoice { choices: String, got: String } "invalid-choice" "must be one of {choices}, got {got}";
    OrderType "order-type" "must not be order, because orders earn no bonus";
    NotTrue "not-true" "must be true";
    Nul "nul" "must not contain U+0000";
    Blank "blank" "must not be blank";
    TooLong { chars: usize } "too-long" "must have at most {chars} characters";
    TooFewItems { min: usize } "too-few" "must have {min} or more items";
    TooManyItems { max: usize, got: usize } "too-many" "must have at most {max} items, got {got}";
    TooManyMembers { max: usize, got: usize } "too-many" "must have at most {max} members, got {got}";
    OutOfRange { min: i64, max: i64, got: String } "out-of-range" "must be between {min} and {max}, got {got}";
    PeriodTwice { period: &'static str } "period-twice" "has the period {period}, as another limit has";
    EndsBeforeStart "ends-before-start" "must be after starts_at";
    BeforeSince "before-since" "must be after member_since";
    UntilBeforeFrom "until-before-from" "must be after from";
    OverMidnight "over-midnight" "must be after from; a window over midnight is two windows";
    NeverMatches "never-matches" "must meet the time from starts_at to ends_at, or it never matches";
    NoReward "no-reward" "must have percent or points";
    TwoRewards "two-rewards" "must not have both percent and points";
    NoOrdinal "no-ordinal" "must have first or every";
    TwoOrdinals "two-ordinals" "must not have both first and every";
    /// Without any number, a limit cannot bind.
    NoLimit "no-limit" "must have awards, points, or both";
}

impl FaultRule {
    pub fn code(&self) -> FaultCode {
        match self {
            Self::Required | Self::OwnLocale | Self::NoReward | Self::NoOrdinal | Self::NoLimit => {
                FaultCode::Required
            }
            Self::UnknownField { .. } => FaultCode::UnknownField,
            Self::NotAString { .. } => FaultCode::NotAString,
            Self::NotAnInteger { .. } => FaultCode::NotAnInteger,
            Self::NotABoolean { .. } => FaultCode::NotABoolean,
            Self::NotAnArray { .. } => FaultCode::NotAnArray,
            Self::NotAnObject | Self::NotEntries { .. } => FaultCode::NotAnObject,
            Self::NotATime { .. } | Self::NotALocalTime | Self::NotADay { .. } => FaultCode::NotADate,
            Self::NotATimeOfDay { .. } => FaultCode::NotATimeOfDay,
            Self::NotAName { .. }
            | Self::NotAType { .. }
            | Self::NotAnId { .. }
            | Self::LocaleName
            | Self::AttributeName
            | Self::AttributeValue { .. } => FaultCode::WrongForm,
            Self::InvalidChoice { .. } | Self::OrderType | Self::NotTrue => FaultCode::InvalidChoice,
            Self::Nul => FaultCode::NulCharacter,
            Self::Blank => FaultCode::Blank,
            Self::TooLong { .. } => FaultCode::TooLong,
            Self::TooFewItems { .. } => FaultCode::TooFew,
            Self::TooManyItems { .. } | Self::TooManyMembers { .. } => FaultCode::TooMany,
            Self::OutOfRange { .. } => FaultCode::OutOfRange,
            Self::PeriodTwice { .. } => FaultCode::DuplicateValue,
            Self::EndsBeforeStart
            | Self::BeforeSince
            | Self::UntilBeforeFrom
            | Self::OverMidnight
            | Self::NeverMatches
            | Self::TwoRewards
            | Self::TwoOrdinals => FaultCode::Contradiction,
        }
    }
}
