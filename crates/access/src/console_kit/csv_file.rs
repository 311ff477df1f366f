//! CSV files to download, for spreadsheets.

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderValue, StatusCode};
use pointbook_domain::spreadsheet::spreadsheet_text;
use pointbook_http::kernel::Response;

/// The beginning of each CSV file. Without it, Excel does not read the file as UTF-8.
pub const BYTE_ORDER_MARK: &str = "\u{feff}";

pub enum CsvCell {
    /// Members and products may have written it, so it never becomes a formula.
    Text(String),
    Number(i64),
}

impl CsvCell {
    pub fn text(text: &impl ToString) -> Self {
        Self::Text(text.to_string())
    }

    fn written(self) -> String {
        match self {
            Self::Text(text) => spreadsheet_text(&text),
            Self::Number(number) => number.to_string(),
        }
    }
}

/// A file with the CSV of RFC 4180: a line of names, and the rows.
pub fn csv_of_rows(name: &str, columns: &[&str], rows: impl IntoIterator<Item = Vec<CsvCell>>) -> Response {
    let start = BYTE_ORDER_MARK.as_bytes().to_vec();
    let mut lines = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(start);
    // A vector takes every byte.
    let _ = lines.write_record(columns);
    for row in rows {
        let _ = lines.write_record(row.into_iter().map(CsvCell::written));
    }
    csv_file(name, lines.into_inner().unwrap_or_default())
}

/// A response that browsers save as a file with this name, which is ASCII and needs no quotes. The lines begin with
/// [`BYTE_ORDER_MARK`].
pub fn csv_file(name: &str, lines: impl Into<Bytes>) -> Response {
    let mut response = Response::empty(StatusCode::OK);
    response.body = lines.into();
    let headers = &mut response.headers;
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if let Ok(value) = HeaderValue::try_from(format!("attachment; filename=\"{name}\"")) {
        headers.insert(CONTENT_DISPOSITION, value);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_becomes_a_formula_and_numbers_stay_numbers() {
        let row = vec![CsvCell::text(&"=1+1"), CsvCell::Number(-5), CsvCell::text(&"a \"b\", c")];
        let file = csv_of_rows("a.csv", &["x", "y", "z"], [row]);
        assert_eq!(str::from_utf8(&file.body).unwrap(), "\u{feff}x,y,z\r\n'=1+1,-5,\"a \"\"b\"\", c\"\r\n");
    }
}
