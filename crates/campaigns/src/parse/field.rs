//! Fields of a definition, and the values that they may have.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::RangeInclusive;

use pointbook_domain::points::MAX_POINTS;
use pointbook_domain::zones::timestamp_text::{parse_day, parse_timestamp};
use pointbook_domain::{ActivityType, Day, Points, Timestamp};
use serde_json::Value;

use super::fault::Faults;
use super::rule::FaultRule;
use super::shown::{shown, shown_text};

/// One field: its path, and its value unless it is absent or null.
///
/// A method that reads a value returns `None` for an absent value, and also for a wrong one, after it has noted the fault. The
/// parse fails when it has faults, so nothing needs to tell both apart.
#[derive(Clone)]
pub(super) struct Field<'a> {
    pub(super) path: String,
    pub(super) value: Option<&'a Value>,
    pub(super) faults: &'a Faults,
}

impl<'a> Field<'a> {
    pub(super) fn below(&self, name: impl fmt::Display, value: Option<&'a Value>) -> Self {
        let path = if self.path.is_empty() { name.to_string() } else { format!("{}.{name}", self.path) };
        Self { path, value: value.filter(|value| !value.is_null()), faults: self.faults }
    }

    /// Notes a fault.
    pub(super) fn refuse<T>(&self, rule: FaultRule) -> Option<T> {
        self.faults.add(&self.path, rule);
        None
    }

    /// Notes a fault when the field is absent.
    pub(super) fn required(self) -> Self {
        if self.value.is_none() {
            self.refuse::<()>(FaultRule::Required);
        }
        self
    }

    pub(super) fn text(&self) -> Option<&'a str> {
        let value = self.value?;
        let text = value.as_str();
        text.or_else(|| self.refuse(FaultRule::NotAString { got: shown(value) }))
    }

    /// A string of 1 to `max_chars` characters, not only spaces and without U+0000.
    pub(super) fn line(&self, max_chars: usize) -> Option<String> {
        let text = self.text()?;
        if text.trim().is_empty() {
            self.refuse(FaultRule::Blank)
        } else if text.chars().count() > max_chars {
            self.refuse(FaultRule::TooLong { chars: max_chars })
        } else if text.contains('\0') {
            self.refuse(FaultRule::Nul)
        } else {
            Some(text.to_owned())
        }
    }

    /// A string that a constructor takes. The rule is made of its error and of the text as messages repeat it.
    pub(super) fn form<T, E>(
        &self,
        read: impl FnOnce(&str) -> Result<T, E>,
        rule: impl FnOnce(E, String) -> FaultRule,
    ) -> Option<T> {
        let text = self.text()?;
        read(text).map_or_else(|error| self.refuse(rule(error, shown_text(text))), Some)
    }

    pub(super) fn activity_type(&self) -> Option<ActivityType> {
        self.form(ActivityType::new, |_, got| FaultRule::NotAType { got })
    }

    /// One of these words.
    pub(super) fn choice<T: Copy>(&self, all: &[T], as_str: fn(T) -> &'static str) -> Option<T> {
        let text = self.text()?;
        all.iter().copied().find(|word| as_str(*word) == text).or_else(|| {
            let words: Vec<&str> = all.iter().map(|word| as_str(*word)).collect();
            self.refuse(FaultRule::InvalidChoice { choices: words.join(", "), got: shown_text(text) })
        })
    }

    pub(super) fn boolean(&self) -> Option<bool> {
        let value = self.value?;
        value.as_bool().or_else(|| self.refuse(FaultRule::NotABoolean { got: shown(value) }))
    }

    pub(super) fn integer(&self, bounds: RangeInclusive<i64>) -> Option<i64> {
        let value = self.value?;
        if !(value.is_i64() || value.is_u64()) {
            return self.refuse(FaultRule::NotAnInteger { got: shown(value) });
        }
        // An integer above the range of i64 is out of bounds too.
        value.as_i64().filter(|number| bounds.contains(number)).or_else(|| {
            let (min, max) = (*bounds.start(), *bounds.end());
            self.refuse(FaultRule::OutOfRange { min, max, got: shown(value) })
        })
    }

    /// From 1 to the most points.
    pub(super) fn points(&self) -> Option<Points> {
        self.integer(1..=MAX_POINTS).and_then(|number| Points::new(number).ok())
    }

    /// From 1, with the same bound as points.
    pub(super) fn count(&self) -> Option<u64> {
        self.integer(1..=MAX_POINTS).and_then(|number| u64::try_from(number).ok())
    }

    pub(super) fn timestamp(&self) -> Option<Timestamp> {
        self.date(parse_timestamp, |got| FaultRule::NotATime { got })
    }

    pub(super) fn day(&self) -> Option<Day> {
        self.date(parse_day, |got| FaultRule::NotADay { got })
    }

    fn date<T>(&self, read: impl FnOnce(&str) -> Option<T>, rule: fn(String) -> FaultRule) -> Option<T> {
        let text = self.text()?;
        read(text).or_else(|| self.refuse(rule(shown_text(text))))
    }

    /// The items of a list, each once, sorted. Absent or wrong, it is empty; present, it must have 1 to `max` items. An item may be
    /// there twice, as in a list of members from several exports. A longer list is one fault, because its items are not read.
    pub(super) fn set<T: Ord>(&self, max: usize, read: impl Fn(&Self) -> Option<T>) -> Vec<T> {
        let items: BTreeSet<T> = self.items(1, max).iter().filter_map(read).collect();
        items.into_iter().collect()
    }

    /// The items of a list as fields, or no item when the list is absent or has a wrong length.
    pub(super) fn items(&self, min: usize, max: usize) -> Vec<Self> {
        let Some(value) = self.value else { return Vec::new() };
        let Some(items) = value.as_array() else {
            self.refuse::<()>(FaultRule::NotAnArray { got: shown(value) });
            return Vec::new();
        };
        let got = items.len();
        if got < min {
            self.refuse::<()>(FaultRule::TooFewItems { min });
            return Vec::new();
        }
        if got > max {
            self.refuse::<()>(FaultRule::TooManyItems { max, got });
            return Vec::new();
        }
        items.iter().enumerate().map(|(at, item)| self.item(at, item)).collect()
    }

    /// An item keeps its null, which is a wrong value here.
    fn item(&self, at: usize, value: &'a Value) -> Self {
        Self { value: Some(value), ..self.below(at, None) }
    }

    /// The members of an object whose names are data, or no member when the object is absent or has too many.
    pub(super) fn entries(&self, max: usize) -> Vec<(&'a str, Self)> {
        let Some(value) = self.value else { return Vec::new() };
        let Some(members) = value.as_object() else {
            self.refuse::<()>(FaultRule::NotEntries { got: shown(value) });
            return Vec::new();
        };
        let got = members.len();
        if got > max {
            self.refuse::<()>(FaultRule::TooManyMembers { max, got });
            return Vec::new();
        }
        let field = |(name, value): (&'a String, &'a Value)| {
            (name.as_str(), Self { value: Some(value), ..self.below(super::shown::cut(name), None) })
        };
        members.iter().map(field).collect()
    }
}
