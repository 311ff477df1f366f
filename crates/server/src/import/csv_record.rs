//! CSV by RFC 4180, with a quote taken as it stands inside a cell that does not begin with one.

use csv::ByteRecord;

/// Where a record is, between two bytes.
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
        chunk.iter().position(|&byte| {
            let before = self.place;
            if is_line_end(byte) && !matches!(before, Place::Quoted) {
                return true;
            }
            self.place = before.after(byte);
            match (before, self.place) {
                (_, Place::CellStart) => self.commas += 1,
                (Place::BehindQuote, Place::Unquoted) => {
                    self.broken_cell.get_or_insert(self.commas + 1);
                }
                _ => {}
            }
            false
        })
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

/// Splits a record without its line end into its cells, which lose their quotes.
pub(super) fn split(record: &[u8], cells: &mut ByteRecord) {
    let (mut place, mut cell) = (Place::default(), Vec::new());
    cells.clear();
    for &byte in record {
        let before = place;
        place = before.after(byte);
        match (before, place) {
            (_, Place::CellStart) => {
                cells.push_field(&cell);
                cell.clear();
            }
            (Place::CellStart, Place::Quoted) | (Place::Quoted, Place::BehindQuote) => {}
            _ => cell.push(byte),
        }
    }
    cells.push_field(&cell);
}
