//! Rows of a history from a database that does not check UTF-8.

use std::fmt;

use super::rows::{HistoryRows, ReadRow};
use crate::Timestamp;
use crate::id::FormError;

/// [`HistoryRows`] that checks all titles and subtitles at the end. They are short, so one check of all is faster than one per
/// text.
#[derive(Debug, Default)]
pub struct UncheckedHistoryRows {
    /// All but their texts.
    rows: HistoryRows,
    texts: Vec<u8>,
}

/// A row with a title or a subtitle that is not UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextError {
    /// When it happened.
    pub created_at: Timestamp,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a title or subtitle of {} that is not UTF-8", self.created_at)
    }
}

impl std::error::Error for TextError {}

impl UncheckedHistoryRows {
    /// With capacity for this many rows.
    pub fn with_capacity(rows: usize) -> Self {
        /// Capacity for a title and a subtitle, in bytes.
        const TEXT_BYTES: usize = 48;
        Self {
            rows: HistoryRows::with_room(rows),
            texts: Vec::with_capacity(rows.saturating_mul(TEXT_BYTES)),
        }
    }

    /// Adds the next row.
    ///
    /// # Errors
    /// [`FormError`] for a kind that no activity has.
    #[inline]
    pub fn push(&mut self, row: ReadRow<'_, [u8]>) -> Result<(), FormError> {
        let (title, subtitle) = (row.title, row.subtitle);
        self.rows.add(row, self.texts.len())?;
        self.texts.extend_from_slice(title);
        self.texts.extend_from_slice(subtitle);
        Ok(())
    }

    /// The rows, if all their texts are UTF-8.
    ///
    /// # Errors
    /// [`TextError`] for the first row with another text.
    pub fn check(self) -> Result<HistoryRows, TextError> {
        let Self { rows, texts } = self;
        // If not all bytes are UTF-8, some row ends beyond those that are.
        let texts = String::from_utf8(texts).unwrap_or_else(|error| beginning(error.as_bytes()));
        rows.with_texts(texts)
    }
}

/// The text before the first byte that is not UTF-8.
fn beginning(texts: &[u8]) -> String {
    texts.utf8_chunks().next().map_or_else(String::new, |chunk| chunk.valid().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bonuses, Points};

    /// The result for rows with these titles and subtitles, each a microsecond after the one before.
    fn check(texts: &[(&[u8], &[u8])]) -> Result<HistoryRows, i64> {
        let mut rows = UncheckedHistoryRows::default();
        for (micros, &(title, subtitle)) in (0..).zip(texts) {
            let row = ReadRow {
                kind: b"code".as_slice(),
                points: Points::ZERO,
                bonuses: Bonuses::NONE,
                is_refund: false,
                is_own_order: false,
                title,
                subtitle,
                created_at: Timestamp::from_micros(micros).unwrap(),
            };
            rows.push(row).unwrap();
        }
        rows.check().map_err(|TextError { created_at }| created_at.as_micros())
    }

    #[test]
    fn texts_are_read_as_they_were_written() {
        let rows = check(&[(b"a", "か".as_bytes()), (b"", b""), ("é".as_bytes(), b"b")]).unwrap();
        let texts: Vec<_> = rows.iter().map(|row| (row.title, row.subtitle)).collect();
        assert_eq!(texts, [("a", "か"), ("", ""), ("é", "b")]);
    }

    #[test]
    fn the_first_row_that_is_not_utf_8_is_named() {
        assert_eq!(check(&[(b"a", b"b"), (b"\xff", b"c"), (b"d", b"\xff")]), Err(1));
        assert_eq!(check(&[(b"a", b"b"), (b"c", b"\xff")]), Err(1));
        assert_eq!(check(&[(b"a", b"\xe3\x81")]), Err(0));
    }

    #[test]
    fn a_character_in_two_texts_is_in_none() {
        let (begin, end) = "é".as_bytes().split_at(1);
        assert_eq!(check(&[(b"a", b"b"), (begin, end)]), Err(1));
        assert_eq!(check(&[(b"a", begin), (end, b"b")]), Err(0));
    }
}
