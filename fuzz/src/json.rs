//! JSON, with the reader that bodies and files have in common.

use pointbook_domain::json::{Json, JsonProblem};
use serde_json::{Number, Value};

/// What was read is written and read again as the same value, and `serde_json` reads the same from it. A problem is at a place
/// of the text.
pub(crate) fn read(text: &[u8]) {
    let theirs = serde_json::from_slice::<Value>(text);
    match Json::parse(text) {
        Ok(json) => {
            let written = serde_json::to_vec(&json).unwrap();
            assert_eq!(Json::parse(&written).unwrap(), without_fractions(json.clone()));
            match theirs {
                Ok(theirs) => assert!(is_same(&json, &theirs), "{json:?} {theirs:?}"),
                // It refuses numbers that are beyond a float, which have no value here.
                Err(error) => assert!(error.to_string().starts_with("number out of range"), "{error}"),
            }
            assert!(json.count_within("in") <= text.len());
        }
        Err(error) => {
            assert!(theirs.is_err(), "{error}");
            assert_is_in(JsonProblem::new(text, &error), text);
        }
    }
}

fn assert_is_in(problem: JsonProblem, text: &[u8]) {
    let JsonProblem { line, column, detail } = problem;
    let found = text.split(|byte| *byte == b'\n').nth(line.checked_sub(1).unwrap());
    let length = found.unwrap_or_else(|| panic!("line {line}: {detail}")).len();
    assert!((1..=length + 1).contains(&column), "{line}:{column} of {length}: {detail}");
}

/// A fraction is written as null.
fn without_fractions(json: Json) -> Json {
    match json {
        Json::Fraction => Json::Null,
        Json::List(items) => Json::List(items.into_iter().map(without_fractions).collect()),
        Json::Object(members) => {
            Json::Object(members.into_iter().map(|(name, value)| (name, without_fractions(value))).collect())
        }
        Json::Null | Json::Bool(_) | Json::Integer(_) | Json::Text(_) => json,
    }
}

fn is_same(ours: &Json, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Json::Null, Value::Null) => true,
        (Json::Bool(ours), Value::Bool(theirs)) => ours == theirs,
        (Json::Text(ours), Value::String(theirs)) => ours == theirs,
        (Json::Integer(_) | Json::Fraction, Value::Number(theirs)) => is_same_number(ours, theirs),
        (Json::List(ours), Value::Array(theirs)) => {
            ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(ours, theirs)| is_same(ours, theirs))
        }
        // Of members with the same name, theirs has the last one.
        (Json::Object(ours), Value::Object(theirs)) => {
            let last = |name: &String| ours.iter().rfind(|(known, _)| known == name);
            ours.iter().all(|(name, _)| theirs.contains_key(name))
                && theirs.iter().all(|(name, value)| last(name).is_some_and(|(_, ours)| is_same(ours, value)))
        }
        _ => false,
    }
}

/// Theirs is a float for a fraction, for an integer beyond 64 bits, and for `-0`.
fn is_same_number(ours: &Json, theirs: &Number) -> bool {
    match ours {
        Json::Integer(number) if theirs.is_f64() => matches!(*number, i64::MIN | 0 | i64::MAX),
        Json::Integer(number) => {
            theirs.as_i64() == Some(*number)
                || *number == i64::MAX && theirs.as_u64().is_some_and(|theirs| theirs > i64::MAX as u64)
        }
        _ => theirs.is_f64(),
    }
}
