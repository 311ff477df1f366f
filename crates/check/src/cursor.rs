//! Reading a JSON value strictly, noting everything that is not as a rule says.

use crate::json::Json;
use crate::rule::Rule;
use crate::secrets::cut_line;

/// How much of a value is shown, in characters.
const SHOWN_CHARS: usize = 120;

/// What an answer has that a rule forbids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Flaw {
    /// The rule that is broken.
    pub(crate) rule: &'static Rule,
    /// What the rule asks for here.
    pub(crate) expected: String,
    pub(crate) came: String,
}

/// Everything that was found in one answer.
pub(crate) type Flaws = Vec<Flaw>;

/// What stands there cannot be read, as is noted elsewhere.
pub(crate) struct Unread;

/// A place in a document, and the rule by which its form is judged.
#[derive(Debug, Clone)]
pub(crate) struct Cursor<'j> {
    rule: &'static Rule,
    path: String,
    json: &'j Json,
}

impl<'j> Cursor<'j> {
    /// The whole document.
    pub(crate) fn root(rule: &'static Rule, json: &'j Json) -> Self {
        Self { rule, path: String::new(), json }
    }

    /// The same place, judged by another rule.
    pub(crate) fn by(&self, rule: &'static Rule) -> Self {
        Self { rule, ..self.clone() }
    }

    pub(crate) fn json(&self) -> &'j Json {
        self.json
    }

    /// Where it is, in words.
    pub(crate) fn place(&self) -> &str {
        if self.path.is_empty() { "the body" } else { &self.path }
    }

    /// Notes that this is not what it should be.
    pub(crate) fn refuse(&self, expected: &str, flaws: &mut Flaws) {
        let expected = format!("{} {expected}", self.place());
        flaws.push(Flaw { rule: self.rule, expected, came: shown(self.json) });
    }

    /// A member that must be there.
    pub(crate) fn member(&self, name: &str, flaws: &mut Flaws) -> Option<Self> {
        let Some(json) = self.json.get(name) else {
            let came = match self.json {
                Json::Object(_) => format!("no {name}"),
                other => shown(other),
            };
            flaws.push(Flaw { rule: self.rule, expected: format!("{} is there", self.path_of(name)), came });
            return None;
        };
        Some(Self { rule: self.rule, path: self.path_of(name), json })
    }

    fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    /// The members of an object, in their order.
    pub(crate) fn members(&self, flaws: &mut Flaws) -> Option<Vec<(&'j str, Self)>> {
        let Json::Object(members) = self.json else {
            self.refuse("is an object", flaws);
            return None;
        };
        let cursor = |(name, json): &'j (String, Json)| {
            (name.as_str(), Self { rule: self.rule, path: self.path_of(name), json })
        };
        Some(members.iter().map(cursor).collect())
    }

    /// The items of an array.
    pub(crate) fn items(&self, flaws: &mut Flaws) -> Option<Vec<Self>> {
        let Json::List(items) = self.json else {
            self.refuse("is an array", flaws);
            return None;
        };
        let cursor = |(index, json)| Self { rule: self.rule, path: format!("{}[{index}]", self.path), json };
        Some(items.iter().enumerate().map(cursor).collect())
    }

    pub(crate) fn text(&self, flaws: &mut Flaws) -> Option<String> {
        let text = self.json.as_text().map(str::to_owned);
        if text.is_none() {
            self.refuse("is a string", flaws);
        }
        text
    }

    pub(crate) fn integer(&self, flaws: &mut Flaws) -> Option<i64> {
        let integer = match self.json {
            Json::Integer(value) => i64::try_from(*value).ok(),
            _ => None,
        };
        if integer.is_none() {
            self.refuse("is an integer", flaws);
        }
        integer
    }

    /// A member that must be there: null as nothing, anything else by `read`.
    pub(crate) fn nullable_of<T>(
        &self,
        name: &str,
        flaws: &mut Flaws,
        read: fn(&Self, &mut Flaws) -> Option<T>,
    ) -> Result<Option<T>, Unread> {
        let member = self.member(name, flaws).ok_or(Unread)?;
        if *member.json == Json::Null {
            return Ok(None);
        }
        read(&member, flaws).map(Some).ok_or(Unread)
    }

    /// The string of a member.
    pub(crate) fn text_of(&self, name: &str, flaws: &mut Flaws) -> Option<String> {
        self.member(name, flaws)?.text(flaws)
    }

    /// The integer of a member.
    pub(crate) fn integer_of(&self, name: &str, flaws: &mut Flaws) -> Option<i64> {
        self.member(name, flaws)?.integer(flaws)
    }

    /// The items of a member.
    pub(crate) fn items_of(&self, name: &str, flaws: &mut Flaws) -> Option<Vec<Self>> {
        self.member(name, flaws)?.items(flaws)
    }
}

/// A value as it is shown to people: cut where it is long.
pub(crate) fn shown(json: &Json) -> String {
    let text = match json {
        Json::Fraction(_) => format!("{json}, which is no integer"),
        other => other.to_string(),
    };
    shortened(&text)
}

/// A text as it is shown to people: on one line, and cut where it is long.
pub(crate) fn shortened(text: &str) -> String {
    cut_line(text, SHOWN_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::PRODUCTS_FIELDS;

    #[test]
    fn what_is_wrong_is_told_with_its_path() {
        let json = Json::parse(br#"{"data":[{"id":7}]}"#).unwrap();
        let (root, mut flaws) = (Cursor::root(&PRODUCTS_FIELDS, &json), Flaws::new());
        let items = root.items_of("data", &mut flaws).unwrap();
        assert_eq!(items[0].text_of("id", &mut flaws), None);
        assert_eq!(items[0].integer_of("price", &mut flaws), None);
        let told: Vec<_> = flaws.iter().map(|flaw| format!("{}: {}", flaw.expected, flaw.came)).collect();
        assert_eq!(told, ["data[0].id is a string: 7", "data[0].price is there: no price"]);
    }

    #[test]
    fn a_long_value_is_cut_at_a_character() {
        assert_eq!(shortened(&"é".repeat(500)).chars().count(), SHOWN_CHARS + 1);
        assert_eq!(shortened("a\nb"), "a b");
    }
}
