//! Readers of values. A reader reads one kind of value, and describes it in the OpenAPI document.

use std::borrow::Borrow;
use std::fmt::Display;
use std::ops::RangeInclusive;

use pointbook_domain::errors::{FieldCode, FieldErrors, Rule};
use pointbook_domain::id::{IdError, MAX_ID_CHARS, has_control_characters};
use pointbook_domain::json::Json;
use pointbook_domain::points::MAX_POINTS;
use pointbook_domain::zones::timestamp_text::{parse_day, parse_timestamp};
use pointbook_domain::{Day, Points, Price, Timestamp, UserId};

use super::fields::{BodyFields, schema_of};
use crate::describe::Schema;

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

/// What was read, or every error.
pub type Read<T> = Result<T, FieldErrors>;

/// Reads one kind of value, and describes it.
pub trait Reader: Copy {
    type Item;

    fn read(self, value: Value<'_>) -> Read<Self::Item>;

    fn schema(self) -> Schema;

    /// Checks or converts what this reader has read. The schema stays.
    fn then<U>(self, check: impl Fn(Value<'_>, Self::Item) -> Read<U> + Copy) -> impl Reader<Item = U> {
        reader(move |value| check(value, self.read(value)?), move || self.schema())
    }

    /// Refuses what is not good, by this rule. The schema stays.
    fn only(
        self,
        is_good: impl Fn(&Self::Item) -> bool + Copy,
        rule: impl Fn() -> Rule + Copy,
    ) -> impl Reader<Item = Self::Item> {
        self.then(move |value, item| if is_good(&item) { Ok(item) } else { Err(value.refused(rule())) })
    }

    /// Says in the schema what the value is for.
    fn about(self, description: &'static str) -> impl Reader<Item = Self::Item> {
        reader(move |value| self.read(value), move || self.schema().describe(description))
    }

    /// Has another schema.
    fn with_schema(self, schema: impl Fn() -> Schema + Copy) -> impl Reader<Item = Self::Item> {
        reader(move |value| self.read(value), schema)
    }
}

#[derive(Clone, Copy)]
struct Kind<R, S> {
    read: R,
    schema: S,
}

impl<T, R: Fn(Value<'_>) -> Read<T> + Copy, S: Fn() -> Schema + Copy> Reader for Kind<R, S> {
    type Item = T;

    fn read(self, value: Value<'_>) -> Read<T> {
        (self.read)(value)
    }

    fn schema(self) -> Schema {
        (self.schema)()
    }
}

/// A reader from both parts, for a kind of value that the others do not read.
pub fn reader<T>(
    read: impl Fn(Value<'_>) -> Read<T> + Copy,
    schema: impl Fn() -> Schema + Copy,
) -> impl Reader<Item = T> {
    Kind { read, schema }
}

/// A string of at most this many characters. May be empty.
pub fn text(max_chars: usize) -> impl Reader<Item = String> {
    reader(move |value| bounded(value, max_chars).map(str::to_owned), move || Schema::text_to(max_chars))
}

/// A string of 1 to this many characters, at least one of which is no space.
pub fn title(max_chars: usize) -> impl Reader<Item = String> {
    let read = move |value: Value<'_>| match bounded(value, max_chars)? {
        blank if blank.trim().is_empty() => Err(value.refused(Rule::REQUIRED)),
        text => Ok(text.to_owned()),
    };
    reader(read, move || Schema::title_to(max_chars))
}

/// An id of the domain: `id(UserId::new)`.
pub fn id<T>(new: impl Fn(Box<str>) -> Result<T, IdError> + Copy) -> impl Reader<Item = T> {
    let read = move |value: Value<'_>| {
        new(string(value)?.into()).map_err(|error| match error {
            IdError::Empty => value.refused(Rule::REQUIRED),
            IdError::TooLong => value.refused(Rule::at_most_chars(MAX_ID_CHARS)),
            IdError::Nul => value.refused(nul()),
        })
    };
    reader(read, Schema::id)
}

/// The id of what the write may create: `new_id(UserId::new)`. Nobody sees control characters, so two ids with them would look the same.
pub fn new_id<T: Borrow<str>>(new: impl Fn(Box<str>) -> Result<T, IdError> + Copy) -> impl Reader<Item = T> {
    id(new).only(is_visible, control_character).with_schema(Schema::new_id)
}

/// The id of a user whom the write may create.
pub fn new_user_id() -> impl Reader<Item = UserId> {
    new_id(UserId::new)
}

/// A title without control characters.
pub fn visible(max_chars: usize) -> impl Reader<Item = String> {
    title(max_chars).only(is_visible, control_character).with_schema(move || Schema::visible_to(max_chars))
}

/// A text without control characters, which may be empty.
pub fn line(max_chars: usize) -> impl Reader<Item = String> {
    text(max_chars).only(is_visible, control_character).with_schema(move || Schema::line_to(max_chars))
}

fn is_visible<T: Borrow<str>>(text: &T) -> bool {
    !has_control_characters(text.borrow())
}

fn control_character() -> Rule {
    Rule::new(FieldCode::ControlCharacter, "must not contain control characters")
}

/// A string of a set: `choice(|text| ActivityType::new(text).ok())`. Where the set is known, say so `with_schema`.
pub fn choice<T>(find: impl Fn(&str) -> Option<T> + Copy) -> impl Reader<Item = T> {
    let read = move |value: Value<'_>| find(string(value)?).ok_or_else(|| value.refused(Rule::CHOICE));
    reader(read, Schema::text)
}

/// An integer that a constructor of the domain accepts, which refuses all but these: `integer(0..=MAX_POINTS, Price::new)`. An integer
/// beyond 64 bits becomes the nearest that fits, which every amount refuses as out of range. `-0` is 0. A number with a fraction or an
/// exponent is not an integer.
pub fn integer<T, E: Display>(
    bounds: RangeInclusive<i64>,
    new: impl Fn(i64) -> Result<T, E> + Copy,
) -> impl Reader<Item = T> {
    let (least, most) = bounds.into_inner();
    let read = move |value: Value<'_>| {
        new(whole(value)?).map_err(|rule| value.refused(Rule::new(FieldCode::OutOfRange, rule.to_string())))
    };
    reader(read, move || Schema::integer(least..=most))
}

pub fn points() -> impl Reader<Item = Points> {
    integer(-MAX_POINTS..=MAX_POINTS, Points::new)
}

pub fn price() -> impl Reader<Item = Price> {
    integer(0..=MAX_POINTS, Price::new)
}

/// An integer within bounds: `integer_in(1..=1_000)` of any integer type.
pub fn integer_in<T>(bounds: RangeInclusive<T>) -> impl Reader<Item = T>
where
    T: TryFrom<i64> + Copy + PartialOrd + Display + Into<i64>,
{
    let (least, most) = bounds.into_inner();
    let read = move |value: Value<'_>| {
        let number = whole(value)?;
        if number < least.into() {
            return Err(value.refused(Rule::at_least(least)));
        }
        let within = T::try_from(number).ok().filter(|number| *number <= most);
        within.ok_or_else(|| value.refused(Rule::at_most(most)))
    };
    reader(read, move || Schema::integer(least.into()..=most.into()))
}

/// `true` or `false`.
pub fn boolean() -> impl Reader<Item = bool> {
    let read = |value: Value<'_>| match value.json {
        Json::Bool(flag) => Ok(*flag),
        _ => Err(value.refused(Rule::BOOLEAN)),
    };
    reader(read, Schema::boolean)
}

/// An ISO 8601 date-time with `Z` or an offset.
pub fn date_time() -> impl Reader<Item = Timestamp> {
    reader(|value| date(value, parse_timestamp, Rule::DATE_TIME), Schema::any_date_time)
}

/// A date-time at or before this one.
pub fn past_date_time(latest: Timestamp) -> impl Reader<Item = Timestamp> {
    date_time().only(move |time| *time <= latest, in_the_future)
}

/// A date, `YYYY-MM-DD`, at or before this one.
pub fn past_day(latest: Day) -> impl Reader<Item = Day> {
    let day = reader(|value| date(value, parse_day, Rule::DAY), Schema::date);
    day.only(move |day| *day <= latest, in_the_future)
}

fn date<T>(value: Value<'_>, parse: impl Fn(&str) -> Option<T>, rule: Rule) -> Read<T> {
    let date = if let Json::Text(text) = value.json { parse(text) } else { None };
    date.ok_or_else(|| value.refused(rule))
}

fn in_the_future() -> Rule {
    Rule::new(FieldCode::InTheFuture, "must not be in the future")
}

/// A list of at most this many items, all read in the same way: `list(100, title(2_048))`.
pub fn list<R: Reader>(max_items: usize, item: R) -> impl Reader<Item = Vec<R::Item>> {
    let read = move |value: Value<'_>| {
        let Json::List(items) = value.json else { return Err(value.refused(Rule::ARRAY)) };
        if items.len() > max_items {
            return Err(value.refused(Rule::at_most_items(max_items)));
        }
        let (mut list, mut errors) = (Vec::with_capacity(items.len()), FieldErrors::default());
        for (place, json) in items.iter().enumerate() {
            match item.read(Value { json, key: &format!("{}.{place}", value.key) }) {
                Ok(item) => list.push(item),
                Err(wrong) => errors.extend(wrong),
            }
        }
        if errors.is_empty() { Ok(list) } else { Err(errors) }
    };
    reader(read, move || Schema::list(item.schema()).at_most(max_items))
}

/// An object with fields: `object(read_bonus)`.
pub fn object<T>(read: impl Fn(BodyFields<'_>) -> Read<T> + Copy) -> impl Reader<Item = T> {
    let read_object = move |value: Value<'_>| match value.json {
        Json::Object(members) => read(BodyFields::within(members, value.key)),
        _ => Err(value.refused(Rule::OBJECT)),
    };
    reader(read_object, move || schema_of(read))
}

/// An object whose values are strings. Each name is there once.
pub fn texts() -> impl Reader<Item = Vec<(String, String)>> {
    let read = |value: Value<'_>| {
        let Json::Object(members) = value.json else { return Err(value.refused(Rule::OBJECT)) };
        let (mut pairs, mut errors) = (Vec::with_capacity(members.len()), FieldErrors::default());
        for (name, json) in members {
            match json {
                Json::Text(text) => pairs.push((name.clone(), text.clone())),
                _ => errors.refuse_entry(value.key, name, FieldCode::NotAString, "must be a string"),
            }
        }
        if errors.is_empty() { Ok(pairs) } else { Err(errors) }
    };
    reader(read, || Schema::map(Schema::text(), Schema::text()))
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
