//! Readers of values: each function returns the reader of one kind of value.

use std::borrow::Borrow;
use std::fmt::Display;
use std::ops::RangeInclusive;

use pointbook_domain::errors::{FieldCode, FieldErrors, Rule};
use pointbook_domain::id::{IdError, MAX_ID_CHARS, has_control_characters};
use pointbook_domain::json::Json;
use pointbook_domain::zones::timestamp_text::{parse_day, parse_timestamp};
use pointbook_domain::{Day, Timestamp, UserId};
use pointbook_store::limits::MAX_TITLE_CHARS;

use super::fields::BodyFields;

/// A value of a field or of a list item. An absent field has no value.
#[derive(Debug, Clone, Copy)]
pub struct Value<'b> {
    pub json: &'b Json,
    /// `points`, `bonus_breakdown.0.points`.
    pub key: &'b str,
}

impl Value<'_> {
    /// The refusal of this value, by the rule that it breaks.
    pub fn refused(&self, rule: Rule) -> FieldErrors {
        FieldErrors::one(self.key, rule)
    }
}

pub(super) type Read<T> = Result<T, FieldErrors>;

/// A reader of one value. Every function with this signature is one.
pub trait Reader<T>: FnOnce(Value<'_>) -> Read<T> {}
impl<T, F: FnOnce(Value<'_>) -> Read<T>> Reader<T> for F {}

/// A string of at most this many characters. May be empty.
pub fn text(max_chars: usize) -> impl Fn(Value<'_>) -> Read<String> {
    move |value| bounded(value, max_chars).map(str::to_owned)
}

/// A string of 1 to this many characters, at least one of which is no space.
pub fn title(max_chars: usize) -> impl Fn(Value<'_>) -> Read<String> {
    move |value| match bounded(value, max_chars)? {
        blank if blank.trim().is_empty() => Err(value.refused(Rule::REQUIRED)),
        text => Ok(text.to_owned()),
    }
}

/// An id of the domain: `id(UserId::new)`.
pub fn id<T>(new: impl Fn(Box<str>) -> Result<T, IdError>) -> impl Fn(Value<'_>) -> Read<T> {
    move |value| {
        new(string(value)?.into()).map_err(|error| match error {
            IdError::Empty => value.refused(Rule::REQUIRED),
            IdError::TooLong => value.refused(Rule::at_most_chars(MAX_ID_CHARS)),
            IdError::Nul => value.refused(nul()),
        })
    }
}

/// The id of what the write may create: `new_id(UserId::new)`. Nobody sees control characters, so two ids with them would look the same.
pub fn new_id<T: Borrow<str>>(new: impl Fn(Box<str>) -> Result<T, IdError>) -> impl Fn(Value<'_>) -> Read<T> {
    let id = id(new);
    move |value| visible(value, id(value)?)
}

/// The id of a user whom the write may create.
pub fn new_user_id(value: Value<'_>) -> Read<UserId> {
    new_id(UserId::new)(value)
}

/// The sku of a product: a title without control characters.
pub fn sku(value: Value<'_>) -> Read<String> {
    visible(value, title(MAX_TITLE_CHARS)(value)?)
}

fn visible<T: Borrow<str>>(value: Value<'_>, text: T) -> Read<T> {
    if has_control_characters(text.borrow()) {
        let rule = Rule::new(FieldCode::ControlCharacter, "must not contain control characters");
        return Err(value.refused(rule));
    }
    Ok(text)
}

/// A string of a set: `choice(|text| ActivityType::new(text).ok())`.
pub fn choice<T>(find: impl Fn(&str) -> Option<T>) -> impl Fn(Value<'_>) -> Read<T> {
    move |value| find(string(value)?).ok_or_else(|| value.refused(Rule::CHOICE))
}

/// An integer that a constructor of the domain accepts: `integer(Points::new)`. An integer beyond 64 bits becomes the nearest
/// that fits, which every amount refuses as out of range. `-0` is 0. A number with a fraction or an exponent is not an integer.
pub fn integer<T, E: Display>(new: impl Fn(i64) -> Result<T, E>) -> impl Fn(Value<'_>) -> Read<T> {
    move |value| {
        new(whole(value)?).map_err(|rule| value.refused(Rule::new(FieldCode::OutOfRange, rule.to_string())))
    }
}

/// An integer within bounds: `integer_in(1..=1_000)` of any integer type.
pub fn integer_in<T>(bounds: RangeInclusive<T>) -> impl Fn(Value<'_>) -> Read<T>
where
    T: TryFrom<i64> + Copy + PartialOrd + Display + Into<i64>,
{
    move |value| {
        let number = whole(value)?;
        if number < (*bounds.start()).into() {
            return Err(value.refused(Rule::at_least(bounds.start())));
        }
        let within = T::try_from(number).ok().filter(|number| number <= bounds.end());
        within.ok_or_else(|| value.refused(Rule::at_most(bounds.end())))
    }
}

/// `true` or `false`.
pub fn boolean(value: Value<'_>) -> Read<bool> {
    match value.json {
        Json::Bool(flag) => Ok(*flag),
        _ => Err(value.refused(Rule::BOOLEAN)),
    }
}

/// An ISO 8601 date-time with `Z` or an offset.
pub fn date_time(value: Value<'_>) -> Read<Timestamp> {
    date(value, parse_timestamp, Rule::DATE_TIME)
}

/// A date-time at or before this one.
pub fn past_date_time(latest: Timestamp) -> impl Fn(Value<'_>) -> Read<Timestamp> {
    move |value| not_after(&latest, date_time(value)?, value)
}

/// A date, `YYYY-MM-DD`, at or before this one.
pub fn past_day(latest: Day) -> impl Fn(Value<'_>) -> Read<Day> {
    move |value| not_after(&latest, date(value, parse_day, Rule::DAY)?, value)
}

fn date<T>(value: Value<'_>, parse: impl Fn(&str) -> Option<T>, rule: Rule) -> Read<T> {
    let date = if let Json::Text(text) = value.json { parse(text) } else { None };
    date.ok_or_else(|| value.refused(rule))
}

fn not_after<T: PartialOrd>(latest: &T, date: T, value: Value<'_>) -> Read<T> {
    let rule = || Rule::new(FieldCode::InTheFuture, "must not be in the future");
    if date > *latest { Err(value.refused(rule())) } else { Ok(date) }
}

/// A list of at most this many items, all read in the same way: `list(100, title(2_048))`.
pub fn list<T>(max_items: usize, read: impl Fn(Value<'_>) -> Read<T>) -> impl Fn(Value<'_>) -> Read<Vec<T>> {
    move |value| {
        let Json::List(items) = value.json else { return Err(value.refused(Rule::ARRAY)) };
        if items.len() > max_items {
            return Err(value.refused(Rule::at_most_items(max_items)));
        }
        let (mut list, mut errors) = (Vec::with_capacity(items.len()), FieldErrors::default());
        for (place, json) in items.iter().enumerate() {
            match read(Value { json, key: &format!("{}.{place}", value.key) }) {
                Ok(item) => list.push(item),
                Err(wrong) => errors.extend(wrong),
            }
        }
        if errors.is_empty() { Ok(list) } else { Err(errors) }
    }
}

/// An object with fields: `object(read_bonus)`.
pub fn object<T>(read: impl Fn(BodyFields<'_>) -> Read<T>) -> impl Fn(Value<'_>) -> Read<T> {
    move |value| match value.json {
        Json::Object(members) => read(BodyFields::within(members, value.key)),
        _ => Err(value.refused(Rule::OBJECT)),
    }
}

/// An object whose values are strings. Each name is there once.
pub fn texts(value: Value<'_>) -> Read<Vec<(String, String)>> {
    let Json::Object(members) = value.json else { return Err(value.refused(Rule::OBJECT)) };
    let (mut pairs, mut errors) = (Vec::with_capacity(members.len()), FieldErrors::default());
    for (name, json) in members {
        match json {
            Json::Text(text) => pairs.push((name.clone(), text.clone())),
            _ => errors.refuse_entry(value.key, name, FieldCode::NotAString, "must be a string"),
        }
    }
    if errors.is_empty() { Ok(pairs) } else { Err(errors) }
}

/// PostgreSQL cannot store U+0000 in a string.
fn nul() -> Rule {
    Rule::new(FieldCode::NulCharacter, "must not contain U+0000")
}

fn string(value: Value<'_>) -> Read<&str> {
    match value.json {
        Json::Text(text) if text.contains('\0') => Err(value.refused(nul())),
        Json::Text(text) => Ok(text),
        _ => Err(value.refused(Rule::STRING)),
    }
}

fn bounded(value: Value<'_>, max_chars: usize) -> Read<&str> {
    let text = string(value)?;
    // A string has at least as many bytes as characters, so most strings need no count.
    if text.len() > max_chars && text.chars().count() > max_chars {
        Err(value.refused(Rule::at_most_chars(max_chars)))
    } else {
        Ok(text)
    }
}

fn whole(value: Value<'_>) -> Read<i64> {
    match value.json {
        Json::Integer(number) => Ok(*number),
        _ => Err(value.refused(Rule::INTEGER)),
    }
}
