//! Schemas in the JSON Schema dialect of OpenAPI 3.1.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use pointbook_domain::id::MAX_ID_CHARS;
use pointbook_domain::json::Json;
use pointbook_domain::points::MAX_POINTS;

use crate::describe::json::{IntoJson, Members};

/// `YYYY-MM-DD`.
const DATE: &str = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$";
/// Without U+0000.
const NO_NUL: &str = "^[^\\x00]*$";
const NO_CONTROL: &str = "^[^\\x00-\\x1F\\x7F-\\x9F]*$";
/// `YYYY-MM-DDTHH:mm:ss.uuuuuuZ`.
const DATE_TIME: &str = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{6}Z$";

#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Schema(Members);

impl IntoJson for Schema {
    fn into_json(self) -> Json {
        self.0.into_json()
    }
}

/// A schema of the components. Its name is the type in clients.
pub type NamedSchema = (Cow<'static, str>, fn() -> Schema);

/// A member of an object.
pub struct Field {
    name: &'static str,
    schema: Schema,
    is_required: bool,
}

pub fn required(name: &'static str, schema: Schema) -> Field {
    Field { name, schema, is_required: true }
}

pub fn optional(name: &'static str, schema: Schema) -> Field {
    Field { name, schema, is_required: false }
}

impl Schema {
    /// A reference to a component.
    pub fn named(name: &str) -> Self {
        Self(Members::default().with("$ref", format!("#/components/schemas/{name}")))
    }

    /// One of several components.
    pub fn any_of(names: impl IntoIterator<Item = &'static str>) -> Self {
        let schemas: Vec<Self> = names.into_iter().map(Self::named).collect();
        Self(Members::default().with("anyOf", schemas))
    }

    pub fn text() -> Self {
        Self::of_type("string")
    }

    /// The bytes of a file. Generators of clients know this form.
    pub fn bytes() -> Self {
        Self::text().with("format", "binary")
    }

    pub fn any_text_to(max_chars: usize) -> Self {
        Self::text().with("maxLength", max_chars)
    }

    /// Without U+0000, as in every body.
    pub fn text_to(max_chars: usize) -> Self {
        Self::matching(NO_NUL).with("maxLength", max_chars)
    }

    /// At least one character.
    pub fn title_to(max_chars: usize) -> Self {
        Self::matching(NO_NUL).with("minLength", 1_usize).with("maxLength", max_chars)
    }

    pub fn id() -> Self {
        Self::title_to(MAX_ID_CHARS)
    }

    /// At least one character, without control characters.
    pub fn visible_to(max_chars: usize) -> Self {
        Self::matching(NO_CONTROL).with("minLength", 1_usize).with("maxLength", max_chars)
    }

    /// A text without control characters, which may be empty.
    pub fn line_to(max_chars: usize) -> Self {
        Self::matching(NO_CONTROL).with("maxLength", max_chars)
    }

    /// The id of what a write may create.
    pub fn new_id() -> Self {
        Self::visible_to(MAX_ID_CHARS)
    }

    /// One of these strings. Later versions add none.
    pub fn one_of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        Self::text().with("enum", texts.into_iter().collect::<Vec<_>>())
    }

    pub fn matching(pattern: &str) -> Self {
        Self::text().with("pattern", pattern)
    }

    pub fn address() -> Self {
        Self::text().with("format", "uri")
    }

    pub fn date() -> Self {
        Self::matching(DATE).with("format", "date")
    }

    /// The form of responses: UTC, with six digits after the seconds.
    pub fn date_time() -> Self {
        Self::matching(DATE_TIME).with("format", "date-time")
    }

    /// The form of requests: with `Z` or an offset, and any number of digits.
    pub fn any_date_time() -> Self {
        Self::text().with("format", "date-time")
    }

    pub fn boolean() -> Self {
        Self::of_type("boolean")
    }

    /// Always the same value. It has no `const` keyword, because client generators turn that into a string.
    pub fn always(value: bool) -> Self {
        Self::boolean().describe(if value { "Always `true`." } else { "Always `false`." })
    }

    /// The format tells clients how many bits it needs.
    pub fn integer(bounds: RangeInclusive<i64>) -> Self {
        let fits = |number: &i64| i32::try_from(*number).is_ok();
        let is_small = fits(bounds.start()) && fits(bounds.end());
        Self::of_type("integer")
            .with("format", if is_small { "int32" } else { "int64" })
            .with("minimum", *bounds.start())
            .with("maximum", *bounds.end())
    }

    pub fn whole() -> Self {
        Self::of_type("integer").with("format", "int64")
    }

    pub fn count() -> Self {
        Self::whole().with("minimum", 0_i64)
    }

    /// Without a maximum: the server accepts a larger number as the largest.
    pub fn page_size() -> Self {
        Self::of_type("integer").with("minimum", 1_i64)
    }

    pub fn points() -> Self {
        Self::integer(-MAX_POINTS..=MAX_POINTS)
    }

    pub fn price() -> Self {
        Self::integer(0..=MAX_POINTS)
    }

    pub fn list(items: Self) -> Self {
        Self::of_type("array").with("items", items)
    }

    /// A response may get more members later. Clients ignore unknown members.
    pub fn object(fields: impl IntoIterator<Item = Field>) -> Self {
        let (mut properties, mut needed) = (Members::default(), Vec::new());
        for Field { name, schema, is_required } in fields {
            properties.set(name, schema);
            needed.extend(is_required.then_some(name));
        }
        let object = Self::of_type("object").with("properties", properties);
        if needed.is_empty() { object } else { object.with("required", needed) }
    }

    /// An object without other members, for request bodies.
    pub fn closed(fields: impl IntoIterator<Item = Field>) -> Self {
        Self::object(fields).with("additionalProperties", false)
    }

    pub fn map(names: Self, values: Self) -> Self {
        Self::of_type("object").with("propertyNames", names).with("additionalProperties", values)
    }

    /// An object with any members.
    pub fn any_object() -> Self {
        Self::of_type("object").with("additionalProperties", Self(Members::default()))
    }

    pub fn lines(line: Self) -> Self {
        Self::text().with("contentMediaType", "application/x-ndjson").with("contentSchema", line)
    }

    pub fn or_null(mut self) -> Self {
        if let Some(kind) = self.0.get("type").cloned() {
            self.0.set("type", vec![kind, Json::Text("null".to_owned())]);
        }
        self
    }

    pub fn at_most(self, items: usize) -> Self {
        self.with("maxItems", items)
    }

    pub fn each_once(self) -> Self {
        self.with("uniqueItems", true)
    }

    pub fn at_least(self, items: usize) -> Self {
        self.with("minItems", items)
    }

    pub fn at_most_chars(self, chars: usize) -> Self {
        self.with("maxLength", chars)
    }

    /// The default value.
    pub fn by_default(self, value: impl IntoJson) -> Self {
        self.with("default", value)
    }

    pub fn describe(self, text: &str) -> Self {
        self.with("description", text)
    }

    /// The same with the lines of a comment, joined. Without lines, its description stays.
    pub fn describe_by(self, lines: &[&str]) -> Self {
        let text = lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
        if text.is_empty() { self } else { self.describe(&text) }
    }

    fn of_type(name: &str) -> Self {
        Self(Members::default().with("type", name))
    }

    fn with(self, keyword: &str, value: impl IntoJson) -> Self {
        Self(self.0.with(keyword, value))
    }
}
