//! Reads a JSON value strictly, and notes everything that is not as a rule says.

use std::cell::RefCell;

use crate::json::Json;
use crate::rule::Rule;
use crate::secrets::cut_line;

/// How much of a value is shown, in characters.
const SHOWN_CHARS: usize = 120;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Flaw {
    pub(crate) rule: &'static Rule,
    pub(crate) expected: String,
    pub(crate) came: String,
}

#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// The rules that were looked at, each once.
    pub(crate) rules: RefCell<Vec<&'static Rule>>,
    pub(crate) flaws: RefCell<Vec<Flaw>>,
}

/// A place in a document, and the rule that judges it.
#[derive(Debug, Clone)]
pub(crate) struct Cursor<'j> {
    rule: &'static Rule,
    path: String,
    json: &'j Json,
    findings: &'j Findings,
}

/// What can be read from a place; every part is looked at before the whole is given up.
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

/// Declares a record and its reader. A field stands with the name of its member, or with its own reader; a rule, where
/// there is one, judges all of them.
macro_rules! record {
    ($(#[$attribute:meta])* $vis:vis struct $type:ident $(by $rule:expr)? => {
        $($(#[$field_attribute:meta])* $field:ident: $of:ty = $read:tt,)*
    }) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
        $vis struct $type {
            $($(#[$field_attribute])* $vis $field: $of,)*
        }

        impl $crate::cursor::Read for $type {
            fn read(cursor: &$crate::cursor::Cursor<'_>) -> Option<Self> {
                $(let cursor = &cursor.by($rule);)?
                // Every field is looked at before one that is missing gives the whole up.
                $(let $field = $crate::cursor::read_field!(cursor, $read);)*
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

    /// Notes that a rule is looked at, also where there is nothing that can break it.
    pub(crate) fn look_at(&self, rule: &'static Rule) {
        let mut rules = self.findings.rules.borrow_mut();
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }

    /// The same place, judged by another rule.
    pub(crate) fn by(&self, rule: &'static Rule) -> Self {
        self.look_at(rule);
        Self { rule, ..self.clone() }
    }

    pub(crate) fn json(&self) -> &'j Json {
        self.json
    }

    pub(crate) fn refuse(&self, expected: &str) {
        let place = if self.path.is_empty() { "the body" } else { &self.path };
        self.flaw(format!("{place} {expected}"), shown(self.json));
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

    /// A member that must be there.
    pub(crate) fn member(&self, name: &str) -> Option<Self> {
        let Some(json) = self.json.get(name) else {
            let came = match self.json {
                Json::Object(_) => format!("no {name}"),
                other => shown(other),
            };
            self.flaw(format!("{} is there", self.path_of(name)), came);
            return None;
        };
        Some(self.at(self.path_of(name), json))
    }

    /// Notes members that must not be there.
    pub(crate) fn refuse_members(&self, names: &[&str]) {
        for name in names.iter().filter(|name| self.json.get(name).is_some()) {
            self.refuse(&format!("has no {name}"));
        }
    }

    /// The value of a member that must be there.
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

/// Null, or anything else by its own reader.
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

/// A value as it is shown to people.
pub(crate) fn shown(json: &Json) -> String {
    match json {
        Json::Fraction(_) => shortened(&format!("{json}, which is no integer")),
        other => shortened(&other.to_string()),
    }
}

/// A text as it is shown to people: on one line, and cut where it is long.
pub(crate) fn shortened(text: &str) -> String {
    cut_line(text, SHOWN_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule;

    #[test]
    fn what_is_wrong_is_told_with_its_path() {
        let json = Json::parse(br#"{"data":[{"id":7}]}"#).unwrap();
        let findings = Findings::default();
        let items =
            Cursor::root(rule::PRODUCTS_FIELDS, &json, &findings).member("data").unwrap().items().unwrap();
        assert_eq!(items[0].get::<String>("id"), None);
        assert_eq!(items[0].get::<i64>("price"), None);
        let flaws = findings.flaws.borrow();
        let told: Vec<_> = flaws.iter().map(|flaw| format!("{}: {}", flaw.expected, flaw.came)).collect();
        assert_eq!(told, ["data[0].id is a string: 7", "data[0].price is there: no price"]);
    }

    #[test]
    fn a_long_value_is_cut_at_a_character() {
        assert_eq!(shortened(&"é".repeat(500)).chars().count(), SHOWN_CHARS + 1);
        assert_eq!(shortened("a\nb"), "a b");
    }
}
