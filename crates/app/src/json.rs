//! JSON as it was written: members in order, twice when they stand twice, and whole numbers exact.
//! Files and requests are read through it.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// Any JSON value. A number that is not whole keeps nothing: no field takes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number; one beyond 64 bits stands at the bound, which no amount reaches.
    Integer(i64),
    /// A number with a fraction or an exponent.
    Fraction,
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Json>),
    /// An object.
    Object(Vec<(String, Json)>),
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Integer(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Integer(i64::try_from(value).unwrap_or(i64::MAX)))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Json, E> {
        Ok(Json::Fraction)
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Json, E> {
        Ok(Json::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Json, A::Error> {
        let mut object = Vec::new();
        while let Some(member) = members.next_entry()? {
            object.push(member);
        }
        Ok(Json::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Json {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn whole_numbers_are_exact_and_nothing_else_is_a_number() {
        assert_eq!(read("9007199254740993"), Json::Integer(9_007_199_254_740_993));
        assert_eq!(read("18446744073709551615"), Json::Integer(i64::MAX));
        for fraction in ["12.0", "1e3", "-0", "99999999999999999999"] {
            assert_eq!(read(fraction), Json::Fraction, "{fraction}");
        }
    }

    #[test]
    fn a_member_that_stands_twice_is_kept_twice() {
        let member = |value| ("a".to_owned(), Json::Integer(value));
        assert_eq!(read(r#"{"a":1,"a":2}"#), Json::Object(vec![member(1), member(2)]));
    }
}
