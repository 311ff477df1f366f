//! The stored form of the entries of a block: a JSON array of `[type, user, id, row]`, and a row is `[time in microseconds, seq]`.

use std::borrow::Cow;

use pointbook_domain::{EventType, FeedEntry, UserId};

use super::scalars::timestamp;

/// The stored form of an entry.
type EntryRow<'a> = (Cow<'a, str>, Option<Cow<'a, str>>, Option<Cow<'a, str>>, Option<(i64, u64)>);

/// Encodes entries for storage.
pub fn feed_entries_to_json(entries: &[FeedEntry]) -> String {
    let row = |FeedEntry { kind, user_id, id, row }: &FeedEntry| -> String {
        let row = row.map(|(at, seq)| (at.as_micros(), seq));
        let row = (kind.as_str(), user_id.as_ref().map(UserId::as_str), id.as_deref(), row);
        // Strings and numbers always serialise.
        serde_json::to_string(&row).unwrap_or_default()
    };
    format!("[{}]", entries.iter().map(row).collect::<Vec<_>>().join(","))
}

/// Reads stored entries.
///
/// # Errors
/// A message that says why an entry is invalid.
pub(crate) fn feed_entries_from_json(json: &str) -> Result<Vec<FeedEntry>, String> {
    let rows: Vec<EntryRow<'_>> = serde_json::from_str(json).map_err(|error| error.to_string())?;
    let entry = |(kind, user, id, row): EntryRow<'_>| {
        let kind = EventType::parse(&kind).ok_or_else(|| format!("{kind:?} is not a type of event"))?;
        let user_id = user.map(UserId::new).transpose().map_err(|error| error.to_string())?;
        let row = row.map(|(at, seq)| Ok::<_, &str>((timestamp(at)?, seq))).transpose()?;
        Ok(FeedEntry { kind, user_id, id: id.map(Cow::into_owned), row })
    };
    rows.into_iter().map(entry).collect()
}

#[cfg(test)]
mod tests {
    use pointbook_domain::Timestamp;

    use super::*;

    #[test]
    fn entries_survive_their_stored_form() {
        let user_id = UserId::new("a\"b,か").ok();
        let id = Some("mug".to_owned());
        let entries = [
            FeedEntry {
                kind: EventType::TransactionRecorded,
                user_id: user_id.clone(),
                id: None,
                row: Some((Timestamp::from_micros(1_600_000_000_000_000).unwrap(), 7)),
            },
            FeedEntry { kind: EventType::OrderPlaced, user_id, id: id.clone(), row: None },
            FeedEntry { kind: EventType::ProductChanged, user_id: None, id, row: None },
            FeedEntry { kind: EventType::CategoriesChanged, user_id: None, id: None, row: None },
        ];
        let json = feed_entries_to_json(&entries);
        assert_eq!(feed_entries_from_json(&json).unwrap(), entries);
        assert!(feed_entries_from_json(r#"[["nothing.known",null,null,null]]"#).is_err());
        assert!(feed_entries_from_json("[[1]]").is_err());
    }
}
