//! The bonuses of a transaction as every store keeps them: a JSON text.

use std::borrow::Cow;

use pointbook_domain::{Bonus, Bonuses, Points};
use serde::{Deserialize, Serialize};

/// A bonus as it is stored.
#[derive(Serialize, Deserialize)]
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
///
/// # Errors
/// None that is known: text, numbers and lists of them always can be written.
pub fn bonuses_to_json(bonuses: &Bonuses) -> serde_json::Result<Cow<'static, str>> {
    if bonuses.breakdown().is_empty() {
        return Ok(NO_BONUSES.into());
    }
    let row = |Bonus { kind, points, title }: &Bonus| BonusRow {
        kind: Cow::Owned(kind.clone()),
        points: points.get(),
        title: Cow::Owned(title.clone()),
    };
    Ok(serde_json::to_string(&bonuses.breakdown().iter().map(row).collect::<Vec<_>>())?.into())
}

/// Reads a breakdown as the interface serves it.
///
/// # Errors
/// Says in words what is wrong with it.
pub fn bonuses_from_json(json: &str) -> Result<Bonuses, String> {
    bonuses_from_bytes(json.as_bytes())
}

/// [`bonuses_from_json`] of a text that nobody has checked.
///
/// # Errors
/// Says in words what is wrong with it.
#[inline]
pub fn bonuses_from_bytes(json: &[u8]) -> Result<Bonuses, String> {
    if json == NO_BONUSES.as_bytes() { Ok(Bonuses::NONE) } else { some_bonuses(json) }
}

fn some_bonuses(json: &[u8]) -> Result<Bonuses, String> {
    let rows: Vec<BonusRow<'_>> = serde_json::from_slice(json).map_err(|error| error.to_string())?;
    let bonus = |BonusRow { kind, points, title }| {
        let points = Points::new(points).map_err(|error| error.to_string())?;
        Ok(Bonus { kind: String::from(kind), points, title: String::from(title) })
    };
    let breakdown = rows.into_iter().map(bonus).collect::<Result<_, String>>()?;
    Bonuses::new(breakdown).map_err(|error| error.to_string())
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
            assert_eq!(bonuses_to_json(&bonuses).unwrap(), expected);
            assert_eq!(bonuses_from_json(expected), Ok(bonuses));
        }
    }

    #[test]
    fn what_no_store_writes_is_refused_in_words() {
        let negative = r#"[{"type":"campaign","points":-1,"title":""}]"#;
        assert_eq!(bonuses_from_json(negative).unwrap_err(), "must not have negative points");
        assert!(bonuses_from_json("{}").is_err());
    }
}
