//! Opening the rows of an input, in its format.

use super::csv_rows::CsvRows;
use super::error::ImportError;
use super::jsonl_rows::JsonlRows;
use super::kind::Columns;
use super::rows::RowSource;
use super::{Format, Input};

/// Opens the rows of a kind; a CSV header is checked now, before anything is stored.
pub(super) fn open_rows(input: Input, columns: Columns) -> Result<Box<dyn RowSource>, ImportError> {
    let (format, text) = input.open()?;
    match format {
        Some(Format::Csv) => Ok(Box::new(CsvRows::open(text, columns)?)),
        Some(Format::Jsonl) => Ok(Box::new(JsonlRows::new(text, columns))),
        Some(Format::Json) => Err(ImportError::Usage(
            "a JSON array holds a category tree; give rows as CSV or as JSONL, one object per line"
                .to_owned(),
        )),
        None => Err(ImportError::Usage("the input is empty".to_owned())),
    }
}
