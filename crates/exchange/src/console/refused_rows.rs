//! The file of refused rows: an operator corrects it in a spreadsheet and imports it again.

use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::csv_file::{BYTE_ORDER_MARK, csv_file};
use pointbook_domain::spreadsheet::spreadsheet_text_of;
use pointbook_http::kernel::Response;
use pointbook_http::pages::PageError;

use crate::console::import_jobs::MAX_KEPT_BYTES;
use crate::console::job_page::find;
use crate::import::{Kind, RejectedRow};

/// The columns before those of the imported file. An import ignores `line` and `reason`. Because of `escaped`, it takes the apostrophes away
/// again.
const COLUMNS: [&str; 3] = ["line", "reason", "escaped"];

/// The largest file of refused rows, in bytes. It is in memory for an hour.
const MAX_BYTES: usize = MAX_KEPT_BYTES;

pub(crate) async fn products(visit: &Visit<'_>) -> Result<Response, PageError> {
    download(visit, Kind::Products)
}

pub(crate) async fn activities(visit: &Visit<'_>) -> Result<Response, PageError> {
    download(visit, Kind::Activities)
}

pub(crate) async fn users(visit: &Visit<'_>) -> Result<Response, PageError> {
    download(visit, Kind::Users)
}

fn download(visit: &Visit<'_>, kind: Kind) -> Result<Response, PageError> {
    let job = find(visit, kind)?;
    // Empty while the import runs.
    let rows = job.state().refused_file.clone();
    if rows.is_empty() {
        return Err(PageError::NotFound);
    }
    Ok(csv_file(&format!("refused-{kind}.csv"), rows))
}

/// Writes the refused rows of an import.
#[derive(Default)]
pub(crate) struct RefusedRows {
    is_full: bool,
}

impl RefusedRows {
    /// Adds a row to the file. Returns `false` when the file is full.
    pub(crate) fn add(&mut self, file: &mut Vec<u8>, row: &RejectedRow) -> bool {
        let is_first = file.is_empty();
        let start = if is_first { BYTE_ORDER_MARK.as_bytes().to_vec() } else { Vec::new() };
        let mut lines = csv::WriterBuilder::new()
            .delimiter(row.separator)
            .flexible(true)
            .terminator(csv::Terminator::CRLF)
            .from_writer(start);
        // A vector takes every byte.
        if is_first {
            let _ = lines.write_record(COLUMNS.iter().chain(&row.columns));
        }
        let own = [row.line.to_string(), spreadsheet_text_of(&row.reason, row.separator), "yes".to_owned()];
        let _ = lines
            .write_record(own.into_iter().chain(row.cells.iter().map(|bytes| cell(bytes, row.separator))));
        let lines = lines.into_inner().unwrap_or_default();
        self.is_full |= file.len() + lines.len() > MAX_BYTES;
        if !self.is_full {
            file.extend_from_slice(&lines);
        }
        !self.is_full
    }
}

/// A cell that no spreadsheet runs as a formula. Whole numbers stay as they are.
fn cell(bytes: &[u8], separator: u8) -> String {
    let text = String::from_utf8_lossy(bytes).into_owned();
    if text.parse::<i64>().is_ok_and(|number| number.to_string() == text) {
        text
    } else {
        spreadsheet_text_of(&text, separator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::Problems;

    fn row(line: u64, cells: &[&str]) -> RejectedRow {
        RejectedRow {
            line,
            reason: "points: must be a whole number".to_owned(),
            problems: Problems::default(),
            columns: vec!["user_id", "points"],
            cells: cells.iter().map(|cell| cell.as_bytes().to_vec()).collect(),
            separator: b',',
        }
    }

    #[test]
    fn rows_are_safe_in_a_spreadsheet_and_numbers_stay() {
        let (mut rows, mut file) = (RefusedRows::default(), Vec::new());
        assert!(rows.add(&mut file, &row(2, &["=1+1", "-5"])));
        assert!(rows.add(&mut file, &row(3, &["a;=1", "-05"])));
        let expected = "\u{feff}line,reason,escaped,user_id,points\r\n\
                        2,points: must be a whole number,yes,'=1+1,-5\r\n\
                        3,points: must be a whole number,yes,a;'=1,'-05\r\n";
        assert_eq!(String::from_utf8(file).unwrap(), expected);
    }

    #[test]
    fn a_row_has_the_separator_of_the_input_and_is_safe_with_every_separator() {
        let (mut rows, mut file) = (RefusedRows::default(), Vec::new());
        assert!(rows.add(&mut file, &RejectedRow { separator: b';', ..row(2, &["a;b,=1", "x"]) }));
        let expected = "\u{feff}line;reason;escaped;user_id;points\r\n\
                        2;points: must be a whole number;yes;\"a;b,'=1\";x\r\n";
        assert_eq!(String::from_utf8(file).unwrap(), expected);
    }

    #[test]
    fn the_file_has_a_largest_size_and_says_when_it_is_full() {
        let (mut rows, mut file) = (RefusedRows::default(), Vec::new());
        let long = "x".repeat(MAX_BYTES / 2);
        assert!(rows.add(&mut file, &row(2, &[&long, "1"])));
        assert!(!rows.add(&mut file, &row(3, &[&long, "1"])));
        let length = file.len();
        assert!(!rows.add(&mut file, &row(4, &["a", "1"])), "no later row either");
        assert!(length < MAX_BYTES && file.len() == length);
    }
}
