//! The bonuses of a transaction as every store keeps them: a JSON text.

use std::borrow::Cow;

use pointbook_domain::{Bonus, Bonuses, Points};
use serde::Deserialize;
use serde_json::Value;

/// A bonus as it is stored.
#[derive(Deserialize)]
struct BonusRow<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    points: i64,
    #[serde(borrow)]
    title: Cow<'a, str>,
}

/// What most transactions have.
const NO_BONUSES: &str = "[]";

/// The breakdown as it is stored.
pub fn bonuses_to_json(bonuses: &Bonuses) -> Cow<'static, str> {
    if bonuses.breakdown().is_empty() {
        return NO_BONUSES.into();
    }
    let text = |text: &str| Value::from(text);
    let row = |Bonus { kind, points, title }: &Bonus| {
        format!(r#"{{"type":{},"points":{points},"title":{}}}"#, text(kind), text(title))
    };
    format!("[{}]", bonuses.breakdown().iter().map(row).collect::<Vec<_>>().join(",")).into()
}

/// Reads a breakdown as the interface serves it. Its bytes may be unchecked.
///
/// # Errors
/// Says in words what is wrong with it.
#[inline]
pub fn bonuses_from_bytes(json: &[u8]) -> Result<Bonuses, String> {
    if json == NO_BONUSES.as_bytes() { Ok(Bonuses::NONE) } else { some_bonuses(json) }
}

fn some_bonuses(json: &[u8]) -> Result<Bonuses, String> {
    let breakdown = plain_breakdown(json).map_or_else(|| any_breakdown(json), Ok)?;
    Bonuses::new(breakdown).map_err(|error| error.to_string())
}

fn any_breakdown(json: &[u8]) -> Result<Vec<Bonus>, String> {
    // What is passed over has to be text as well.
    let json = str::from_utf8(json).map_err(|error| error.to_string())?;
    let rows: Vec<BonusRow<'_>> = serde_json::from_str(json).map_err(|error| error.to_string())?;
    let bonus = |BonusRow { kind, points, title }| {
        let points = Points::new(points).map_err(|error| error.to_string())?;
        Ok(Bonus { kind: String::from(kind), points, title: String::from(title) })
    };
    rows.into_iter().map(bonus).collect()
}

/// Of what [`bonuses_to_json`] writes where no text has anything to escape. That is nearly all there is, and every page
/// of a history has some; a reader of any JSON takes three times as long. None for all else.
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

/// A text until its quote, and what comes after that.
fn plain_text(json: &[u8]) -> Option<(String, &[u8])> {
    let ends = |byte: &u8| *byte < b' ' || matches!(byte, b'"' | b'\\');
    let (text, rest) = json.split_at_checked(json.iter().position(ends)?)?;
    Some((str::from_utf8(text).ok()?.to_owned(), rest.strip_prefix(b"\"")?))
}

/// Points, and what comes after them.
fn plain_points(json: &[u8]) -> Option<(Points, &[u8])> {
    let (digits, rest) = json.split_at_checked(json.iter().position(|byte| !byte.is_ascii_digit())?)?;
    // In JSON no other number begins with 0.
    let is_number = digits == b"0" || !digits.starts_with(b"0");
    let points = str::from_utf8(digits).ok().filter(|_| is_number)?.parse().ok()?;
    Some((Points::new(points).ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of every store hold this form, so it can only grow.
    #[test]
    fn the_stored_form_is_read_as_it_was_written() {
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
    fn the_short_way_reads_what_the_long_one_does() {
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
    fn the_short_way_takes_nothing_that_the_long_one_refuses() {
        let whole = r#"[{"type":"campaign","points":50,"title":"か"},{"type":"b","points":0,"title":""}]"#;
        assert!(plain_breakdown(whole.as_bytes()).is_some());
        for place in 0..whole.len() {
            for byte in [b' ', b'"', b'\\', b'0', b'9', b'-', b',', b'}', b']', b'\n', 0xff] {
                let mut json = whole.as_bytes().to_vec();
                json[place] = byte;
                if let Some(plain) = plain_breakdown(&json) {
                    assert_eq!(Ok(plain), any_breakdown(&json), "{}", String::from_utf8_lossy(&json));
                }
                json.truncate(place);
                assert_eq!(plain_breakdown(&json), None);
            }
        }
    }

    #[test]
    fn what_no_store_writes_is_refused_in_words() {
        let negative = r#"[{"type":"campaign","points":-1,"title":""}]"#;
        assert_eq!(bonuses_from_bytes(negative.as_bytes()).unwrap_err(), "must not have negative points");
        assert!(bonuses_from_bytes(b"{}").is_err());
    }
}
