//! The stored form of a transaction's bonuses: a JSON array.

use std::borrow::Cow;

use pointbook_domain::{Bonus, Bonuses, Points};
use serde::Deserialize;
use serde_json::Value;

/// The stored form of a bonus.
#[derive(Deserialize)]
struct BonusRow<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    points: i64,
    #[serde(borrow)]
    title: Cow<'a, str>,
}

/// The stored form without bonuses, which most transactions have.
const NO_BONUSES: &str = "[]";

/// Encodes the breakdown for storage.
pub(crate) fn bonuses_to_json(bonuses: &Bonuses) -> Cow<'static, str> {
    if bonuses.breakdown().is_empty() {
        return NO_BONUSES.into();
    }
    let text = |text: &str| Value::from(text);
    let row = |Bonus { kind, points, title }: &Bonus| {
        format!(r#"{{"type":{},"points":{points},"title":{}}}"#, text(kind), text(title))
    };
    format!("[{}]", bonuses.breakdown().iter().map(row).collect::<Vec<_>>().join(",")).into()
}

/// Reads a stored breakdown. The bytes may be invalid UTF-8.
///
/// # Errors
/// A message that says why the breakdown is invalid.
#[inline]
pub(crate) fn bonuses_from_bytes(json: &[u8]) -> Result<Bonuses, String> {
    if json == NO_BONUSES.as_bytes() { Ok(Bonuses::NONE) } else { some_bonuses(json) }
}

fn some_bonuses(json: &[u8]) -> Result<Bonuses, String> {
    let breakdown = plain_breakdown(json).map_or_else(|| any_breakdown(json), Ok)?;
    Bonuses::new(breakdown).map_err(|error| error.to_string())
}

fn any_breakdown(json: &[u8]) -> Result<Vec<Bonus>, String> {
    // The parser skips unknown members, and their bytes must be UTF-8 too.
    let json = str::from_utf8(json).map_err(|error| error.to_string())?;
    let rows: Vec<BonusRow<'_>> = serde_json::from_str(json).map_err(|error| error.to_string())?;
    let bonus = |BonusRow { kind, points, title }| {
        let points = Points::new(points).map_err(|error| error.to_string())?;
        Ok(Bonus { kind: String::from(kind), points, title: String::from(title) })
    };
    rows.into_iter().map(bonus).collect()
}

/// Reads the exact form that [`bonuses_to_json`] writes for strings without escapes. Returns `None` for any other form.
/// Nearly all stored breakdowns have this form, and a general JSON parser takes three times as long.
fn plain_breakdown(json: &[u8]) -> Option<Vec<Bonus>> {
    let (mut rest, mut breakdown) = (json.strip_prefix(b"[")?, Vec::with_capacity(1));
    loop {
        let (kind, after) = plain_text(rest.strip_prefix(br#"{"type":""#)?)?;
        let (points, after) = plain_points(after.strip_prefix(br#","points":"#)?)?;
        let (title, after) = plain_text(after.strip_prefix(br#","title":""#)?)?;
        breakdown.push(Bonus { kind, points, title });
        match after.strip_prefix(b"},") {
            Some(next) => rest = next,
            None => return (after == b"}]").then_some(breakdown),
        }
    }
}

/// Reads a string up to its closing quote. Returns it with the rest.
fn plain_text(json: &[u8]) -> Option<(String, &[u8])> {
    let ends = |byte: &u8| *byte < b' ' || matches!(byte, b'"' | b'\\');
    let (text, rest) = json.split_at_checked(json.iter().position(ends)?)?;
    Some((str::from_utf8(text).ok()?.to_owned(), rest.strip_prefix(b"\"")?))
}

/// Reads a number of points. Returns it with the rest.
fn plain_points(json: &[u8]) -> Option<(Points, &[u8])> {
    let (digits, rest) = json.split_at_checked(json.iter().position(|byte| !byte.is_ascii_digit())?)?;
    // JSON allows a leading 0 only in the number 0.
    let is_number = digits == b"0" || !digits.starts_with(b"0");
    let points = str::from_utf8(digits).ok().filter(|_| is_number)?.parse().ok()?;
    Some((Points::new(points).ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stored rows have this form, so it must stay readable.
    #[test]
    fn stored_form_is_unchanged_and_readable() {
        let bonus = |kind: &str, points, title: &str| Bonus {
            kind: kind.into(),
            points: Points::new(points).unwrap(),
            title: title.into(),
        };
        let some = vec![bonus("birthday", 3, "Say \"hi\""), bonus("campaign", 0, "")];
        for (breakdown, expected) in [
            (vec![], "[]"),
            (
                some,
                r#"[{"type":"birthday","points":3,"title":"Say \"hi\""},{"type":"campaign","points":0,"title":""}]"#,
            ),
        ] {
            let bonuses = Bonuses::new(breakdown).unwrap();
            assert_eq!(bonuses_to_json(&bonuses), expected);
            assert_eq!(bonuses_from_bytes(expected.as_bytes()), Ok(bonuses));
        }
    }

    #[test]
    fn plain_reader_agrees_with_json_parser() {
        let texts = ["", "campaign", "Grüße か\u{1f600}", "say \"hi\"", "a\\b", "line\n", "\u{1}", "\u{7f}"];
        for (text, amount) in texts.into_iter().zip([0, 1, 10, 50, 999, 12_345, i64::MAX >> 11, 7]) {
            let bonus = |title: &str| Bonus {
                kind: text.into(),
                points: Points::new(amount).unwrap(),
                title: title.into(),
            };
            for breakdown in [vec![bonus(text)], vec![bonus("Spring"), bonus(text)]] {
                let json = bonuses_to_json(&Bonuses::new(breakdown.clone()).unwrap());
                let plain = plain_breakdown(json.as_bytes());
                assert_eq!(plain.is_some(), !json.contains('\\'), "{json}");
                assert!(plain.is_none_or(|plain| plain == breakdown));
                assert_eq!(any_breakdown(json.as_bytes()).unwrap(), breakdown);
            }
        }
    }

    #[test]
    fn plain_reader_accepts_nothing_that_json_parser_refuses() {
        let valid = r#"[{"type":"campaign","points":50,"title":"か"},{"type":"b","points":0,"title":""}]"#;
        assert!(plain_breakdown(valid.as_bytes()).is_some());
        for index in 0..valid.len() {
            for byte in [b' ', b'"', b'\\', b'0', b'9', b'-', b',', b'}', b']', b'\n', 0xff] {
                let mut json = valid.as_bytes().to_vec();
                json[index] = byte;
                if let Some(plain) = plain_breakdown(&json) {
                    assert_eq!(Ok(plain), any_breakdown(&json), "{}", String::from_utf8_lossy(&json));
                }
                json.truncate(index);
                assert_eq!(plain_breakdown(&json), None);
            }
        }
    }

    #[test]
    fn invalid_breakdown_is_refused_with_message() {
        let negative = r#"[{"type":"campaign","points":-1,"title":""}]"#;
        assert_eq!(bonuses_from_bytes(negative.as_bytes()).unwrap_err(), "must not have negative points");
        assert!(bonuses_from_bytes(b"{}").is_err());
    }
}
