//! CSV by RFC 4180, with a quote taken as it stands inside a cell that does not begin with one.

use std::borrow::Cow;

use csv::ByteRecord;
use memchr::{memchr, memchr3};

#[derive(Debug, Clone, Copy, Default)]
enum Place {
    #[default]
    CellStart,
    Unquoted,
    Quoted,
    /// Behind a quote inside quotes: it closes the cell, or is the first of a pair.
    BehindQuote,
}

impl Place {
    fn after(self, byte: u8) -> Self {
        match (self, byte) {
            (Self::Quoted, b'"') => Self::BehindQuote,
            (Self::Quoted, _) | (Self::CellStart | Self::BehindQuote, b'"') => Self::Quoted,
            (_, b',') => Self::CellStart,
            _ => Self::Unquoted,
        }
    }

    /// The length of the prefix that does not change the state.
    fn unchanged_prefix(self, bytes: &[u8]) -> usize {
        match self {
            Self::Quoted => memchr(b'"', bytes).unwrap_or(bytes.len()),
            Self::Unquoted => memchr3(b',', b'\r', b'\n', bytes).unwrap_or(bytes.len()),
            Self::CellStart | Self::BehindQuote => 0,
        }
    }
}

/// Looks for the end of one record, chunk by chunk.
#[derive(Debug, Default)]
pub(super) struct RecordScan {
    place: Place,
    commas: u64,
    /// The first cell that goes on after its closing quote, from 1.
    broken_cell: Option<u64>,
}

impl RecordScan {
    /// The place of the line end that ends the record, if it is in this chunk.
    pub(super) fn find_end(&mut self, chunk: &[u8]) -> Option<usize> {
        let mut at = 0;
        loop {
            at += self.place.unchanged_prefix(chunk.get(at..)?);
            let (before, byte) = (self.place, *chunk.get(at)?);
            if is_line_end(byte) && !matches!(before, Place::Quoted) {
                return Some(at);
            }
            self.place = before.after(byte);
            match (before, self.place) {
                (_, Place::CellStart) => self.commas += 1,
                (Place::BehindQuote, Place::Unquoted) => {
                    self.broken_cell.get_or_insert(self.commas + 1);
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// What is wrong with the quotes of the record, once its end or that of the text was found.
    pub(super) fn problem(&self) -> Option<String> {
        if matches!(self.place, Place::Quoted) {
            return Some("a quote is not closed; the row takes in all that follows".to_owned());
        }
        let rule = "goes on after its closing quote; a quote inside a quoted cell is written twice";
        self.broken_cell.map(|cell| format!("cell {cell} {rule}"))
    }
}

pub(super) fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

/// Splits a valid record into unquoted cells.
pub(super) fn split(record: &[u8], cells: &mut ByteRecord) {
    let mut rest = Some(record);
    cells.clear();
    while let Some(text) = rest {
        let (cell, after) = if let Some(quoted) = text.strip_prefix(b"\"") {
            unquote(quoted)
        } else {
            let (cell, after) = text.split_at(memchr(b',', text).unwrap_or(text.len()));
            (Cow::Borrowed(cell), after)
        };
        cells.push_field(&cell);
        rest = after.strip_prefix(b",");
    }
}

/// The cell that ends with the first quote that is not one of a pair, and what follows it.
fn unquote(quoted: &[u8]) -> (Cow<'_, [u8]>, &[u8]) {
    let (mut cell, mut rest) = (Cow::Borrowed(&b""[..]), quoted);
    while let Some((part, after)) = memchr(b'"', rest).and_then(|quote| rest.split_at_checked(quote)) {
        if cell.is_empty() {
            cell = Cow::Borrowed(part);
        } else {
            cell.to_mut().extend_from_slice(part);
        }
        match after.strip_prefix(b"\"\"") {
            Some(more) => {
                cell.to_mut().push(b'"');
                rest = more;
            }
            None => return (cell, after.get(1..).unwrap_or_default()),
        }
    }
    (cell, &[])
}
