//! Reads a JSON value strictly, and records every flaw with the rule that it breaks.

use std::cell::RefCell;

use crate::check::json::Json;
use crate::check::rule::Rule;
use crate::check::secrets::cut_line;

/// The maximum length of a value in a report, in characters.
const SHOWN_CHARS: usize = 120;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Flaw {
    pub(crate) rule: &'static Rule,
    pub(crate) expected: String,
    pub(crate) came: String,
}

#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// The rules that the reader checked, each once.
    pub(crate) rules: RefCell<Vec<&'static Rule>>,
    pub(crate) flaws: RefCell<Vec<Flaw>>,
}

/// A value in a document with its path, and the rule that applies to it.
#[derive(Debug, Clone)]
pub(crate) struct Cursor<'j> {
    rule: &'static Rule,
    path: String,
    json: &'j Json,
    findings: &'j Findings,
}

/// A type that can be read from a JSON value. A reader checks every part before it returns `None`.
pub(crate) trait Read: Sized {
    fn read(cursor: &Cursor<'_>) -> Option<Self>;
}

macro_rules! read_field {
    ($cursor:ident, $name:literal) => {
        $cursor.get($name)
    };
    ($cursor:ident, $reader:ident) => {
        $reader($cursor)
    };
}
pub(crate) use read_field;

/// Declares a struct and its reader. After each field stands the name of its JSON member, or a reader function. The rule
/// after `by`, if any, applies to all fields.
macro_rules! record {
    ($(#[$attribute:meta])* $vis:vis struct $type:ident $(by $rule:expr)? => {
        $($(#[$field_attribute:meta])* $field:ident: $of:ty = $read:tt,)*
    }) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
        $vis struct $type {
            $($(#[$field_attribute])* $vis $field: $of,)*
        }

        impl $crate::check::cursor::Read for $type {
            fn read(cursor: &$crate::check::cursor::Cursor<'_>) -> Option<Self> {
                $(let cursor = &cursor.by($rule);)?
                // Read every field before returning `None`, so that every flaw is recorded.
                $(let $field = $crate::check::cursor::read_field!(cursor, $read);)*
                Some(Self { $($field: $field?,)* })
            }
        }
    };
}
pub(crate) use record;

impl<'j> Cursor<'j> {
    pub(crate) fn root(rule: &'static Rule, json: &'j Json, findings: &'j Findings) -> Self {
        let root = Self { rule, path: String::new(), json, findings };
        root.look_at(rule);
        root
    }

    /// Records that a rule was checked, even when no value can break it.
    pub(crate) fn look_at(&self, rule: &'static Rule) {
        let mut rules = self.findings.rules.borrow_mut();
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }

    /// The same value under another rule.
    pub(crate) fn by(&self, rule: &'static Rule) -> Self {
        self.look_at(rule);
        Self { rule, ..self.clone() }
    }

    pub(crate) fn json(&self) -> &'j Json {
        self.json
    }

    pub(crate) fn refuse(&self, expected: &str) {
        let name = if self.path.is_empty() { "the body" } else { &self.path };
        self.flaw(format!("{name} {expected}"), shown(self.json));
    }

    fn flaw(&self, expected: String, came: String) {
        self.findings.flaws.borrow_mut().push(Flaw { rule: self.rule, expected, came });
    }

    fn at(&self, path: String, json: &'j Json) -> Self {
        Self { path, json, ..self.clone() }
    }

    fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    /// A required member. Records a flaw when it is missing.
    pub(crate) fn member(&self, name: &str) -> Option<Self> {
        let Some(json) = self.json.get(name) else {
            let came = match self.json {
                Json::Object(_) => format!("no {name}"),
                other => shown(other),
            };
            self.flaw(format!("{} is present", self.path_of(name)), came);
            return None;
        };
        Some(self.at(self.path_of(name), json))
    }

    /// Records a flaw for each of these members that is present.
    pub(crate) fn refuse_members(&self, names: &[&str]) {
        for name in names.iter().filter(|name| self.json.get(name).is_some()) {
            self.refuse(&format!("has no {name}"));
        }
    }

    /// The value of a required member.
    pub(crate) fn get<T: Read>(&self, name: &str) -> Option<T> {
        T::read(&self.member(name)?)
    }

    pub(crate) fn members(&self) -> Option<Vec<(&'j str, Self)>> {
        let Json::Object(members) = self.json else {
            self.refuse("is an object");
            return None;
        };
        let cursor = |(name, json): &'j (String, Json)| (name.as_str(), self.at(self.path_of(name), json));
        Some(members.iter().map(cursor).collect())
    }

    pub(crate) fn items(&self) -> Option<Vec<Self>> {
        let Json::List(items) = self.json else {
            self.refuse("is an array");
            return None;
        };
        let cursor = |(index, json)| self.at(format!("{}[{index}]", self.path), json);
        Some(items.iter().enumerate().map(cursor).collect())
    }
}

impl Read for String {
    fn read(cursor: &Cursor<'_>) -> Option<Self> {
        let text = cursor.json.as_text().map(str::to_owned);
        if text.is_none() {
            cursor.refuse("is a string");
        }
        text
    }
}

impl Read for i64 {
    fn read(cursor: &Cursor<'_>) -> Option<Self> {
        let integer = cursor.json.as_integer().and_then(|value| Self::try_from(value).ok());
        if integer.is_none() {
            cursor.refuse("is an integer");
        }
        integer
    }
}

/// `None` for null. Other values are read as `T`.
impl<T: Read> Read for Option<T> {
    fn read(cursor: &Cursor<'_>) -> Option<Self> {
        if *cursor.json == Json::Null { Some(None) } else { T::read(cursor).map(Some) }
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(cursor: &Cursor<'_>) -> Option<Self> {
        let read: Vec<_> = cursor.items()?.iter().map(T::read).collect();
        read.into_iter().collect()
    }
}

/// A value for a report.
pub(crate) fn shown(json: &Json) -> String {
    match json {
        Json::Fraction(_) => shortened(&format!("{json}, which is not an integer")),
        other => shortened(&other.to_string()),
    }
}

/// A string for a report: on one line, and cut when it is long.
pub(crate) fn shortened(text: &str) -> String {
    cut_line(text, SHOWN_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::rule;

    #[test]
    fn flaws_have_the_path_of_the_value() {
        let json = Json::parse(br#"{"data":[{"id":7}]}"#).unwrap();
        let findings = Findings::default();
        let items =
            Cursor::root(rule::PRODUCTS_FIELDS, &json, &findings).member("data").unwrap().items().unwrap();
        assert_eq!(items[0].get::<String>("id"), None);
        assert_eq!(items[0].get::<i64>("price"), None);
        let flaws = findings.flaws.borrow();
        let told: Vec<_> = flaws.iter().map(|flaw| format!("{}: {}", flaw.expected, flaw.came)).collect();
        assert_eq!(told, ["data[0].id is a string: 7", "data[0].price is present: no price"]);
    }

    #[test]
    fn long_value_is_cut_between_characters() {
        assert_eq!(shortened(&"é".repeat(500)).chars().count(), SHOWN_CHARS + 1);
        assert_eq!(shortened("a\nb"), "a b");
    }
}
