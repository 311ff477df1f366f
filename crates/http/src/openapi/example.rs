//! Examples, which are written as JSON.

use pointbook_app::json::Json as Parsed;
use pointbook_describe::Json;

/// An example as a value of the document; null, should it be no JSON, which a test would find.
pub(super) fn example(text: &str) -> Json {
    Parsed::parse(text.as_bytes()).map_or(Json::Null, value)
}

fn value(parsed: Parsed) -> Json {
    match parsed {
        Parsed::Null | Parsed::Fraction => Json::Null,
        Parsed::Bool(flag) => Json::Bool(flag),
        Parsed::Integer(number) => Json::Integer(number),
        Parsed::Text(text) => Json::Text(text),
        Parsed::List(items) => Json::List(items.into_iter().map(value).collect()),
        Parsed::Object(members) => {
            Json::Object(members.into_iter().map(|(name, own)| (name, value(own))).collect())
        }
    }
}
