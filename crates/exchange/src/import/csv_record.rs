//! Reads CSV by RFC 4180, with the separator of the file. In a cell that does not begin with a quote, a quote is an ordinary
//! character.

use std::borrow::Cow;

use csv::ByteRecord;
use memchr::{memchr, memchr3};

use super::Rule;

#[derive(Debug, Clone, Copy, Default)]
enum ScanState {
    #[default]
    CellStart,
    Unquoted,
    Quoted,
    /// After a quote inside a quoted cell. The quote closes the cell or is the first of a pair.
    AfterQuote,
}

impl ScanState {
    fn after(self, byte: u8, separator: u8) -> Self {
        match (self, byte) {
            (Self::Quoted, b'"') => Self::AfterQuote,
            (Self::Quoted, _) | (Self::CellStart | Self::AfterQuote, b'"') => Self::Quoted,
            _ if byte == separator => Self::CellStart,
            _ => Self::Unquoted,
        }
    }

    /// The length of the prefix that does not change the state.
    fn unchanged_prefix(self, bytes: &[u8], separator: u8) -> usize {
        match self {
            Self::Quoted => memchr(b'"', bytes).unwrap_or(bytes.len()),
            Self::Unquoted => memchr3(separator, b'\r', b'\n', bytes).unwrap_or(bytes.len()),
            Self::CellStart | Self::AfterQuote => 0,
        }
    }
}

/// Finds the end of one record, chunk by chunk.
#[derive(Debug)]
pub(super) struct RecordScan {
    separator: u8,
    state: ScanState,
    separators: u64,
    /// The number of the first cell that continues after its closing quote, from 1.
    broken_cell: Option<u64>,
}

impl RecordScan {
    pub(super) fn new(separator: u8) -> Self {
        Self { separator, state: ScanState::default(), separators: 0, broken_cell: None }
    }

    /// The index of the line end that ends the record, if it is in this chunk.
    pub(super) fn find_end(&mut self, chunk: &[u8]) -> Option<usize> {
        let mut at = 0;
        loop {
            at += self.state.unchanged_prefix(chunk.get(at..)?, self.separator);
            let (before, byte) = (self.state, *chunk.get(at)?);
            if is_line_end(byte) && !matches!(before, ScanState::Quoted) {
                return Some(at);
            }
            self.state = before.after(byte, self.separator);
            match (before, self.state) {
                (_, ScanState::CellStart) => self.separators += 1,
                (ScanState::AfterQuote, ScanState::Unquoted) => {
                    self.broken_cell.get_or_insert(self.separators + 1);
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// The problem with the record's quotes. Call it after the end of the record or the input was found.
    pub(super) fn problem(&self) -> Option<Rule> {
        if matches!(self.state, ScanState::Quoted) {
            return Some(Rule::OpenQuote);
        }
        self.broken_cell.map(|cell| Rule::QuoteInCell { cell })
    }
}

/// The problem with the quotes of a whole record.
pub(super) fn quote_problem(record: &[u8], separator: u8) -> Option<Rule> {
    let mut scan = RecordScan::new(separator);
    scan.find_end(record);
    scan.problem()
}

pub(super) fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

/// Splits a valid record into unquoted cells.
pub(super) fn split(record: &[u8], separator: u8, cells: &mut ByteRecord) {
    let mut rest = Some(record);
    cells.clear();
    while let Some(text) = rest {
        let (cell, after) = if let Some(quoted) = text.strip_prefix(b"\"") {
            unquote(quoted)
        } else {
            let (cell, after) = text.split_at(memchr(separator, text).unwrap_or(text.len()));
            (Cow::Borrowed(cell), after)
        };
        cells.push_field(&cell);
        rest = after.strip_prefix(&[separator]);
    }
}

/// Returns the cell that ends at the first unpaired quote, and the bytes after that quote.
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
