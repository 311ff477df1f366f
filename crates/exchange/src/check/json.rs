//! A JSON value that keeps the order of members and repeated names, and distinguishes integers from other numbers.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Integer(i128),
    /// Any other number: with a fraction, with an exponent, or too long.
    Fraction(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// # Errors
    /// When the bytes are not JSON.
    pub fn parse(bytes: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(bytes)
    }

    /// The member with this name. Of repeated names the last one counts, as in most parsers.
    pub fn get(&self, name: &str) -> Option<&Self> {
        let Self::Object(members) = self else { return None };
        members.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    pub fn as_text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    pub(crate) fn as_integer(&self) -> Option<i128> {
        if let Self::Integer(value) = self { Some(*value) } else { None }
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Integer(value) => serializer.serialize_i128(*value),
            Self::Fraction(value) => serializer.serialize_f64(*value),
            Self::Text(value) => serializer.serialize_str(value),
            Self::List(items) => serializer.collect_seq(items),
            Self::Object(members) => {
                serializer.collect_map(members.iter().map(|(name, value)| (name, value)))
            }
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

macro_rules! visit {
    ($(fn $name:ident($($value:ident: $type:ty)?) -> $json:expr;)*) => {
        $(fn $name<E>(self, $($value: $type)?) -> Result<Json, E> {
            Ok($json)
        })*
    };
}

impl<'de> Visitor<'de> for AnyValue {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    visit! {
        fn visit_unit() -> Json::Null;
        fn visit_bool(value: bool) -> Json::Bool(value);
        fn visit_i64(value: i64) -> Json::Integer(value.into());
        fn visit_u64(value: u64) -> Json::Integer(value.into());
        fn visit_f64(value: f64) -> Json::Fraction(value);
        fn visit_str(value: &str) -> Json::Text(value.to_owned());
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Json::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Json::Object(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_keep_order_and_repetitions() {
        let text = r#"{"b":1,"a":[null,true,"x"],"b":-2}"#;
        let json = Json::parse(text.as_bytes()).unwrap();
        assert_eq!(json.to_string(), text);
        assert_eq!(json.get("b"), Some(&Json::Integer(-2)));
    }

    #[test]
    fn numbers_with_fraction_or_exponent_are_not_integers() {
        let parse = |text: &str| Json::parse(text.as_bytes()).unwrap();
        assert_eq!(parse("18446744073709551615"), Json::Integer(u64::MAX.into()));
        for other in ["12.0", "1e3", "18446744073709551616"] {
            assert!(matches!(parse(other), Json::Fraction(_)), "{other}");
        }
    }
}
