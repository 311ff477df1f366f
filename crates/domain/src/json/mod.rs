//! JSON that keeps the order of members, repeated members and exact integers. pointbook reads files and requests with it, and
//! writes the OpenAPI document.

mod problem;

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Serialize, Serializer};

pub use problem::JsonProblem;

/// Any JSON value. A number with a fraction keeps no value, because no field takes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Json {
    Null,
    Bool(bool),
    /// An integer. One beyond 64 bits is at the bound, which no amount reaches.
    Integer(i64),
    /// A number with a fraction or an exponent.
    Fraction,
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null | Self::Fraction => serializer.serialize_unit(),
            Self::Bool(flag) => serializer.serialize_bool(*flag),
            Self::Integer(number) => serializer.serialize_i64(*number),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
            Self::Object(members) => {
                serializer.collect_map(members.iter().map(|(name, value)| (name, value)))
            }
        }
    }
}

impl Json {
    /// Reads one value and refuses text after it.
    ///
    /// # Errors
    /// For text that is not JSON in UTF-8, and for more than 128 levels.
    pub fn parse(text: &[u8]) -> serde_json::Result<Self> {
        match parse(text) {
            Ok(json) if !json.has_fraction() => Ok(json),
            // The parser reads integers beyond 64 bits as fractions and refuses numbers beyond a float, so the digits decide.
            _ => parse(&with_plain_numbers(text)),
        }
    }

    /// The number of items of a list, including lists under this name in its items, at every level. `None` for another value.
    pub fn count_within(&self, name: &str) -> usize {
        let Self::List(items) = self else { return 0 };
        let members = items.iter().flat_map(|item| match item {
            Self::Object(members) => members.as_slice(),
            _ => &[],
        });
        let within = members.filter(|(known, _)| known == name).map(|(_, list)| list.count_within(name));
        items.len() + within.sum::<usize>()
    }

    fn has_fraction(&self) -> bool {
        match self {
            Self::Fraction => true,
            Self::List(items) => items.iter().any(Self::has_fraction),
            Self::Object(members) => members.iter().any(|(_, value)| value.has_fraction()),
            Self::Null | Self::Bool(_) | Self::Integer(_) | Self::Text(_) => false,
        }
    }
}

fn parse(text: &[u8]) -> serde_json::Result<Json> {
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let json = AnyValue.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(json)
}

/// The same text with each integer as the nearest of 64 bits and other numbers as one half. Every position stays, so that errors
/// have the right one.
fn with_plain_numbers(text: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [first, ..] = rest {
        let length = match first {
            b'"' => string_length(rest),
            b'-' | b'0'..=b'9' => rest.iter().take_while(|byte| is_of_number(**byte)).count(),
            _ => 1,
        };
        let (token, behind) = rest.split_at_checked(length).unwrap_or((rest, &[]));
        match plain_number(token) {
            Some(number) => {
                // `format!` pads to 65,535 at most.
                plain.extend(std::iter::repeat_n(b' ', length.saturating_sub(number.len())));
                plain.extend(number.bytes());
            }
            None => plain.extend(token),
        }
        rest = behind;
    }
    plain
}

/// The length of the string that begins here, with both quotes.
fn string_length(text: &[u8]) -> usize {
    let mut is_escaped = false;
    let ends = |byte: &u8| {
        let ends = *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        ends
    };
    text.iter().skip(1).position(ends).map_or(text.len(), |place| place + 2)
}

fn is_of_number(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E')
}

/// `None` for anything but a number.
fn plain_number(token: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(token).ok().filter(|text| text.bytes().all(is_of_number))?;
    serde_json::from_str::<IgnoredAny>(text).ok()?;
    if text.contains(['.', 'e', 'E']) {
        return Some("0.5".to_owned());
    }
    let nearest = if text.starts_with('-') { i64::MIN } else { i64::MAX };
    Some(text.parse().unwrap_or(nearest).to_string())
}

#[derive(Clone, Copy)]
struct AnyValue;

impl<'de> DeserializeSeed<'de> for AnyValue {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for AnyValue {
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
        while let Some(item) = items.next_element_seed(self)? {
            list.push(item);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Json, A::Error> {
        let mut object = Vec::new();
        while let Some(name) = members.next_key()? {
            object.push((name, members.next_value_seed(self)?));
        }
        Ok(Json::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Json {
        Json::parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn whole_numbers_are_exact_and_nothing_else_is_a_number() {
        for (text, number) in [
            ("9007199254740993", 9_007_199_254_740_993),
            ("-9223372036854775808", i64::MIN),
            ("9223372036854775808", i64::MAX),
            ("18446744073709551615", i64::MAX),
            ("18446744073709551616", i64::MAX),
            ("-18446744073709551616", i64::MIN),
            (&"9".repeat(400), i64::MAX),
            (&"9".repeat(65_536), i64::MAX),
            (&format!("-{}", "9".repeat(1_000_000)), i64::MIN),
            ("0", 0),
            ("-0", 0),
        ] {
            assert_eq!(read(text), Json::Integer(number), "{text}");
        }
        for fraction in ["12.0", "1e3", "1E+3", "-0.0", "1e20", "1e400", "-1e400", "1e-400"] {
            assert_eq!(read(fraction), Json::Fraction, "{fraction}");
        }
        for before in ["1.", "1e", "0.5e-"] {
            assert_eq!(read(&format!("{before}{}", "1".repeat(65_536))), Json::Fraction, "{before}");
        }
    }

    #[test]
    fn huge_numbers_change_nothing_around_them() {
        let text = r#"{"1e400":[1e400,-0,"-0 \"1e400\\"],"a\\\"":[99999999999999999999,null,{"b":"\u0031"}],"c":true}"#;
        let numbers = vec![Json::Fraction, Json::Integer(0), Json::Text("-0 \"1e400\\".to_owned())];
        let one = Json::Object(vec![("b".to_owned(), Json::Text("1".to_owned()))]);
        assert_eq!(
            read(text),
            Json::Object(vec![
                ("1e400".to_owned(), Json::List(numbers)),
                ("a\\\"".to_owned(), Json::List(vec![Json::Integer(i64::MAX), Json::Null, one])),
                ("c".to_owned(), Json::Bool(true)),
            ])
        );
    }

    #[test]
    fn what_is_no_number_is_no_json() {
        for bad in [
            "01", "-", "+1", "1.", ".5", "1e", "1e+", "--1", "1-1", "1e400x", "[1e400", "1e400 1", "\"1e400",
            "-\u{e9}",
        ] {
            assert!(Json::parse(bad.as_bytes()).is_err(), "{bad}");
        }
        assert!(Json::parse(b"[1e400,\"\xff\"]").is_err());
        assert!(Json::parse("[".repeat(100_000).as_bytes()).is_err());
    }

    #[test]
    fn items_are_counted_at_every_level() {
        let count = |text| read(text).count_within("in");
        assert_eq!((count("[]"), count("[1,[2],{}]"), count(r#"{"in":[1]}"#)), (0, 3, 0));
        assert_eq!(count(r#"[{"in":[{"in":[1,2],"out":[3]},4]},{"in":5,"in":[6]}]"#), 7);
    }

    #[test]
    fn a_member_that_stands_twice_is_kept_twice() {
        let member = |value| ("a".to_owned(), Json::Integer(value));
        assert_eq!(read(r#"{"a":1,"a":2}"#), Json::Object(vec![member(1), member(2)]));
    }
}
