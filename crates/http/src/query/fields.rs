//! Reads the parameters of an operation, or describes them for the OpenAPI document. One list gives both.

use std::mem;
use std::ops::RangeInclusive;

use pointbook_domain::errors::{FieldCode, FieldErrors, Rule};
use pointbook_domain::page::MAX_PAGE_NUMBER;
use pointbook_domain::zones::timestamp_text::parse_day;
use pointbook_domain::{Day, PageNumber, PageQuery, PageSize};

use crate::describe::{Parameter, Schema};
use crate::query_string::{Members, QueryString, Value, list_index};

/// The longest value, in characters.
const MAX_TEXT_CHARS: usize = 255;

/// The most alternatives of one filter. Each is compared with every product, so the number bounds the CPU time of a request.
const MAX_LIST_ITEMS: usize = 20;

/// Capacity for the filters of most lists.
const USUAL_FIELDS: usize = 8;

static NO_MEMBERS: Members<'static> = Members::NONE;

/// Reads one parameter after another. A refused parameter reads as absent. The errors come in the order of reading.
pub struct Fields<'q> {
    /// The place of the parameters: the query string, or a group of it.
    members: &'q Members<'q>,
    /// `filter` or `page`; empty for the query string.
    group: &'static str,
    /// The parameters of this group that were read, and how many of them are present.
    known: Vec<&'static str>,
    found: usize,
    errors: FieldErrors,
    /// The parameters that were read, when they are described.
    described: Option<Vec<Parameter>>,
}

/// Reads a whole query string with one of the lists of parameters.
pub trait ReadQuery {
    /// The values of a list of parameters, or every field that is refused.
    fn read<'q, T>(&'q self, list: impl FnOnce(&mut Fields<'q>) -> T) -> Result<T, FieldErrors>;
}

impl ReadQuery for QueryString<'_> {
    fn read<'q, T>(&'q self, list: impl FnOnce(&mut Fields<'q>) -> T) -> Result<T, FieldErrors> {
        let mut fields = Fields::new(self.parameters(), None);
        let read = list(&mut fields);
        if fields.errors.is_empty() { Ok(read) } else { Err(fields.errors) }
    }
}

/// The parameters in the OpenAPI document.
pub fn describe<T>(list: impl FnOnce(&mut Fields<'static>) -> T) -> Vec<Parameter> {
    let mut fields = Fields::new(&NO_MEMBERS, Some(Vec::new()));
    list(&mut fields);
    fields.described.unwrap_or_default()
}

impl<'q> Fields<'q> {
    fn new(members: &'q Members<'q>, described: Option<Vec<Parameter>>) -> Self {
        Self {
            members,
            group: "",
            known: Vec::with_capacity(USUAL_FIELDS),
            found: 0,
            errors: FieldErrors::default(),
            described,
        }
    }

    /// `page[number]` and `page[size]`, the same for every list. The server ignores other members of `page`.
    pub fn page(&mut self) -> PageQuery {
        self.group("page", |page| PageQuery { number: page.number(), size: page.size() })
    }

    pub fn page_number(&mut self) -> PageNumber {
        self.group("page", Self::number)
    }

    /// The members of `filter`. Unknown members are refused.
    pub fn filter<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        self.group("filter", |filter| {
            let read = read(filter);
            if filter.found == filter.members.iter().count() {
                return read;
            }
            for (name, _) in filter.members.iter() {
                if !filter.known.iter().any(|known| known.as_bytes() == name) {
                    let key = format!("filter.{}", String::from_utf8_lossy(name));
                    filter.errors.refuse(&key, Rule::choice(FieldCode::UnknownFilter));
                }
            }
            read
        })
    }

    pub fn text(&mut self, name: &'static str, description: &str) -> Option<&'q str> {
        self.text_as(name, description, text_schema, Some)
    }

    pub fn text_as<T>(
        &mut self,
        name: &'static str,
        description: &str,
        schema: impl FnOnce() -> Schema,
        read: impl FnOnce(&'q str) -> Option<T>,
    ) -> Option<T> {
        match self.ask(name, description, schema)?.text() {
            None => self.refuse(name, Rule::STRING),
            Some(text) if is_too_long(text) => self.refuse_length(name),
            Some(text) => read(text).or_else(|| self.refuse(name, Rule::CHOICE)),
        }
    }

    /// The parts of a comma-separated list, or of several lists: trimmed, without empty ones. `None` when no part is left. All
    /// parts count together.
    pub fn texts<T>(
        &mut self,
        name: &'static str,
        description: &str,
        read: impl Fn(&'q str) -> Option<T>,
    ) -> Option<Vec<T>> {
        let value = self.ask(name, description, text_schema)?;
        let (mut list, mut count, mut is_any_too_long) = (Vec::new(), 0, false);
        for text in listed_texts(value) {
            let Some(text) = text else { return self.refuse(name, Rule::STRING) };
            is_any_too_long |= is_too_long(text);
            for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
                count += 1;
                list.extend(if count <= MAX_LIST_ITEMS { read(part) } else { None });
            }
        }
        if is_any_too_long {
            return self.refuse_length(name);
        }
        if count > MAX_LIST_ITEMS {
            return self.refuse(name, Rule::at_most_items(MAX_LIST_ITEMS));
        }
        (count > 0).then_some(list)
    }

    pub fn flag(&mut self, name: &'static str, description: &str) -> Option<bool> {
        match self.ask(name, description, Schema::boolean)?.text() {
            Some(text) if text == "1" || text.eq_ignore_ascii_case("true") => Some(true),
            Some(text) if text == "0" || text.eq_ignore_ascii_case("false") => Some(false),
            _ => self.refuse(name, Rule::BOOLEAN),
        }
    }

    pub fn day(&mut self, name: &'static str, description: &str) -> Option<Day> {
        let text = self.ask(name, description, Schema::date)?.text();
        text.and_then(parse_day).or_else(|| self.refuse(name, Rule::DAY))
    }

    /// An integer of at least 0. A larger one than 64 bits becomes the greatest.
    pub fn count(&mut self, name: &'static str, description: &str) -> Option<i64> {
        let value = self.ask(name, description, Schema::count)?;
        self.integer(name, value, 0..=i64::MAX)
    }

    /// A number of seconds. Default: 0.
    pub fn seconds(&mut self, name: &'static str, description: &str, most: u32) -> u32 {
        let bounds = 0..=i64::from(most);
        let value = self.ask(name, description, || Schema::integer(bounds.clone()).by_default(0_i64));
        let seconds = value.and_then(|value| self.integer(name, value, bounds.clone()));
        seconds.and_then(|seconds| u32::try_from(seconds).ok()).unwrap_or(0)
    }

    /// How many items a response has at most.
    pub fn limit(&mut self, most: u32, default: u32) -> u32 {
        let bounds = 1..=i64::from(most);
        let schema = || Schema::integer(bounds.clone()).by_default(i64::from(default));
        let value = self.ask("limit", "How many items the response has at most.", schema);
        let limit = value.and_then(|value| self.integer("limit", value, bounds.clone()));
        limit.and_then(|limit| u32::try_from(limit).ok()).unwrap_or(default)
    }

    /// One of these strings, with the value that it stands for.
    pub fn choice<T, const N: usize>(
        &mut self,
        name: &'static str,
        description: &str,
        choices: [(&'static str, T); N],
    ) -> Option<T> {
        let value =
            self.ask(name, description, || Schema::one_of(choices.each_ref().map(|(text, _)| *text)))?;
        let chosen = choices.into_iter().find(|(text, _)| value.text() == Some(*text));
        chosen.map(|(_, choice)| choice).or_else(|| self.refuse(name, Rule::CHOICE))
    }

    /// 1 to 2,147,483,647. Default: 1.
    fn number(&mut self) -> PageNumber {
        let value = self.ask_shared("number", "PageNumber");
        let number = value.and_then(|value| self.integer("number", value, 1..=i64::from(MAX_PAGE_NUMBER)));
        let number = number.and_then(|number| u32::try_from(number).ok());
        number.and_then(PageNumber::new).unwrap_or(PageNumber::FIRST)
    }

    /// At least 1. A number above the tenant's maximum counts as the maximum.
    fn size(&mut self) -> Option<PageSize> {
        let value = self.ask_shared("size", "PageSize")?;
        let size = self.integer("size", value, 1..=i64::MAX)?;
        PageSize::new(u32::try_from(size).unwrap_or(u32::MAX))
    }

    fn integer(&mut self, name: &str, value: &Value<'_>, bounds: RangeInclusive<i64>) -> Option<i64> {
        match value.text().and_then(parse_integer) {
            None => self.refuse(name, Rule::INTEGER),
            Some(number) if number < *bounds.start() => self.refuse(name, Rule::at_least(bounds.start())),
            Some(number) if number > *bounds.end() => self.refuse(name, Rule::at_most(bounds.end())),
            within => within,
        }
    }

    /// Reads a parameter that only has members.
    fn group<T>(&mut self, group: &'static str, read: impl FnOnce(&mut Self) -> T) -> T {
        let members = match self.members.get(group) {
            Some(Value::Members(members)) => members,
            Some(_) => self.refuse(group, Rule::ARRAY).unwrap_or(&NO_MEMBERS),
            None => &NO_MEMBERS,
        };
        let outer = mem::replace(&mut self.members, members);
        (self.group, self.found) = (group, 0);
        self.known.clear();
        let read = read(self);
        (self.members, self.group) = (outer, "");
        read
    }

    fn ask(
        &mut self,
        name: &'static str,
        description: &str,
        schema: impl FnOnce() -> Schema,
    ) -> Option<&'q Value<'q>> {
        if let Some(described) = &mut self.described {
            let name =
                if self.group.is_empty() { name.to_owned() } else { format!("{}[{name}]", self.group) };
            described.push(Parameter::query(&name, schema(), description));
        }
        self.known.push(name);
        let value = self.members.get(name);
        self.found += usize::from(value.is_some());
        value
    }

    /// Reads a shared parameter, under the name of its component.
    fn ask_shared(&mut self, name: &str, component: &'static str) -> Option<&'q Value<'q>> {
        self.described.iter_mut().for_each(|described| described.push(Parameter::Shared(component)));
        self.members.get(name)
    }

    fn refuse_length<T>(&mut self, name: &str) -> Option<T> {
        self.refuse(name, Rule::at_most_chars(MAX_TEXT_CHARS))
    }

    fn refuse<T>(&mut self, name: &str, rule: Rule) -> Option<T> {
        let key = self.key(name);
        self.errors.refuse(&key, rule);
        None
    }

    fn key(&self, name: &str) -> String {
        if self.group.is_empty() { name.to_owned() } else { format!("{}.{name}", self.group) }
    }
}

fn is_too_long(text: &str) -> bool {
    text.len() > MAX_TEXT_CHARS && text.chars().count() > MAX_TEXT_CHARS
}

/// A single string, or the strings of a list in order. `None` for deeper values, for named members and for invalid UTF-8.
fn listed_texts<'v>(value: &'v Value<'v>) -> impl Iterator<Item = Option<&'v str>> {
    let (alone, members) = match value {
        Value::Members(members) => (None, members),
        Value::Text(_) | Value::Bytes(_) => (Some(value.text()), &NO_MEMBERS),
    };
    let text = |(name, value): (&'v [u8], &'v Value<'v>)| list_index(name).and_then(|_| value.text());
    alone.into_iter().chain(members.iter().map(text))
}

fn text_schema() -> Schema {
    Schema::any_text_to(MAX_TEXT_CHARS)
}

/// Reads an optional sign and any number of ASCII digits. A number beyond 64 bits becomes the nearest one that fits.
pub(super) fn parse_integer(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let nearest = if text.starts_with('-') { i64::MIN } else { i64::MAX };
    Some(text.parse().unwrap_or(nearest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_integer_is_a_sign_and_digits() {
        assert_eq!(parse_integer("007"), Some(7));
        assert_eq!(parse_integer("+7"), Some(7));
        assert_eq!(parse_integer("-7"), Some(-7));
        for bad in ["", "+", "-", "1.0", "1e3", "0x1", "--1", "1 2", "٣", "１"] {
            assert_eq!(parse_integer(bad), None, "{bad}");
        }
    }

    #[test]
    fn an_integer_beyond_64_bits_is_the_nearest_one() {
        assert_eq!(parse_integer("99999999999999999999"), Some(i64::MAX));
        assert_eq!(parse_integer("-99999999999999999999"), Some(i64::MIN));
    }
}
