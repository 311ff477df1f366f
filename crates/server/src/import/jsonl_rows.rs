//! Rows as JSON objects, one per line.

use std::io;

use pointbook_app::json::Json;

use super::cell::Cell;
use super::fields::Fields;
use super::kind::Columns;
use super::limits::MAX_ROW_BYTES;
use super::problems::{Problems, within_line};
use super::rows::{RawRow, RowSource, not_utf8, overlong};
use super::source::{LineLength, Text, read_line};

/// One JSON object per line.
pub(super) struct JsonlRows {
    text: Text,
    columns: Columns,
    line_number: u64,
    line: Vec<u8>,
    length: LineLength,
    value: Json,
}

impl JsonlRows {
    pub(super) fn new(text: Text, columns: Columns) -> Self {
        let (line, length) = (Vec::new(), LineLength::Whole);
        Self { text, columns, line_number: 0, line, length, value: Json::Null }
    }
}

impl RowSource for JsonlRows {
    fn next_row(&mut self) -> io::Result<Option<RawRow>> {
        while let Some(length) = read_line(&mut self.text, &mut self.line, MAX_ROW_BYTES)? {
            self.line_number += 1;
            self.length = length;
            if !self.line.iter().all(u8::is_ascii_whitespace) {
                let (line, text) = (self.line_number, self.line.clone());
                return Ok(Some(RawRow { line, text, is_whole: false }));
            }
        }
        Ok(None)
    }

    fn fields(&mut self) -> Result<Fields<'_>, Problems> {
        if self.length == LineLength::Overlong {
            return Err(overlong());
        }
        if std::str::from_utf8(&self.line).is_err() {
            return Err(not_utf8());
        }
        self.value = Json::parse(&self.line).map_err(|error| {
            Problems::one("", format!("the row is not valid JSON: {}", within_line(error)))
        })?;
        Fields::of_value(self.columns.known, Cell::Json(&self.value))
    }
}
