//! The rows of an input: CSV records below a header, or one JSON object per line. Empty lines are skipped.

use std::io;
use std::io::BufRead;

use csv::ByteRecord;
use pointbook_domain::json::Json;
use pointbook_domain::spreadsheet::exact_text;

use super::cell::Cell;
use super::csv_record::{RecordScan, is_line_end, quote_problem, split};
use super::fields::Fields;
use super::header::{ESCAPED, Header, JSON_ROW};
use super::kind::Columns;
use super::problems::{Problems, within_line};
use super::source::TextReader;
use super::{Format, ImportError, Input, Rule, header};

/// The longest row, in bytes of the decompressed input.
pub const MAX_ROW_BYTES: usize = 2 << 20;

#[derive(Debug)]
pub(super) struct RawRow {
    /// The first line of the row in the decompressed text, from 1.
    pub(super) line: u64,
    /// The text without the line end, at most [`MAX_ROW_BYTES`].
    pub(super) text: Vec<u8>,
    /// Why the text cannot be split into cells.
    pub(super) fault: Option<Rule>,
}

/// The name of a CSV column; `None` for a column that the import ignores.
pub(super) type Column = Option<&'static str>;

/// A stream of rows, with buffers for the parts of the current row.
pub(super) struct Rows {
    text: TextReader,
    columns: Columns,
    /// The header of CSV rows; `None` for JSON Lines, where each object names its fields.
    pub(super) header: Option<Header>,
    /// The line that is read next, from 1.
    line: u64,
    cells: ByteRecord,
    value: Json,
}

impl Rows {
    /// Opens the rows of a kind. Checks a CSV header before any row is stored.
    pub(super) fn open(input: Input, columns: Columns) -> Result<Self, ImportError> {
        let (format, text) = input.open()?;
        let is_csv = match format {
            Some(Format::Csv) => true,
            Some(Format::Jsonl) => false,
            Some(Format::Json) => return Err(ImportError::Input(Rule::RowsAsArray)),
            None => return Err(ImportError::Input(Rule::NoInput)),
        };
        let header = is_csv.then(|| Header { columns: Vec::new(), separator: b',' });
        let mut rows = Self { text, columns, header, line: 1, cells: ByteRecord::new(), value: Json::Null };
        if is_csv {
            rows.header = Some(rows.read_header()?);
        }
        Ok(rows)
    }

    /// Reads the first line as if commas separated its cells, and then splits it by its separator.
    fn read_header(&mut self) -> Result<Header, ImportError> {
        let row = self.next_row().map_err(ImportError::Unreadable)?;
        let mut row = row.ok_or(ImportError::Input(Rule::NoHeader))?;
        let separator = header::separator(&row.text, self.columns.known);
        let is_overlong = matches!(row.fault, Some(Rule::RowTooLong { .. }));
        if separator != b',' && !is_overlong {
            row.fault = quote_problem(&row.text, separator);
        }
        let cells = cells_of(&row, separator, &mut self.cells, false, |_| false);
        let columns = cells.and_then(|cells| header::check(&cells, self.columns));
        Ok(Header { columns: columns.map_err(ImportError::Header)?, separator })
    }

    /// Reads the next row; `None` at the end of the input.
    pub(super) fn next_row(&mut self) -> io::Result<Option<RawRow>> {
        loop {
            self.skip_line_ends()?;
            let row = self.read_row()?;
            if row.text.is_empty() {
                return Ok(None);
            }
            if self.header.is_some() || !row.text.trim_ascii().is_empty() {
                return Ok(Some(row));
            }
        }
    }

    fn skip_line_ends(&mut self) -> io::Result<()> {
        loop {
            let chunk = self.text.fill_buf()?;
            let skipped = chunk.iter().take_while(|byte| is_line_end(**byte)).count();
            let is_done = skipped < chunk.len() || chunk.is_empty();
            self.line += line_breaks(chunk.get(..skipped).unwrap_or_default());
            self.text.consume(skipped);
            if is_done {
                return Ok(());
            }
        }
    }

    /// Reads up to the line end that ends the row, or up to the end of the input.
    fn read_row(&mut self) -> io::Result<RawRow> {
        let separator = self.header.as_ref().map_or(b',', |header| header.separator);
        let (line, mut text, mut scan, mut is_overlong) =
            (self.line, Vec::new(), RecordScan::new(separator), false);
        loop {
            let chunk = self.text.fill_buf()?;
            let end = match self.header {
                Some(_) => scan.find_end(chunk),
                None => memchr::memchr(b'\n', chunk),
            };
            let is_last = end.is_some() || chunk.is_empty();
            let part = chunk.get(..end.unwrap_or(chunk.len())).unwrap_or_default();
            let kept = part.get(..MAX_ROW_BYTES - text.len()).unwrap_or(part);
            text.extend_from_slice(kept);
            is_overlong |= kept.len() < part.len();
            self.line += line_breaks(part);
            let used = part.len();
            self.text.consume(used);
            if is_last {
                break;
            }
        }
        let overlong = || Rule::RowTooLong { bytes: MAX_ROW_BYTES };
        let fault = if is_overlong { Some(overlong()) } else { scan.problem() };
        while text.last().is_some_and(|byte| is_line_end(*byte)) {
            text.pop();
        }
        Ok(RawRow { line, text, fault })
    }

    pub(super) fn fields(&mut self, row: &RawRow) -> Result<Fields<'_>, Problems> {
        if let Some(Header { columns, separator }) = &self.header {
            let is_escaped = columns.contains(&Some(ESCAPED));
            let is_ignored = |place: usize| matches!(columns.get(place), Some(None | Some(ESCAPED)));
            let cells = cells_of(row, *separator, &mut self.cells, is_escaped, is_ignored)?;
            if cells.len() != columns.len() {
                let (cells, columns) = (cells.len(), columns.len());
                return Err(Rule::Cells { cells, columns }.into());
            }
            if let ([.., Some(JSON_ROW)], [.., text]) = (&columns[..], &cells[..]) {
                self.value = json_row(text)?;
                return Fields::of_object(self.columns.known, Cell::Json(&self.value));
            }
            let named = columns.iter().zip(cells).filter_map(|(column, cell)| Some(((*column)?, cell)));
            let known = named.filter(|(name, _)| *name != ESCAPED);
            return Ok(Fields::of_csv(known));
        }
        if let Some(fault) = &row.fault {
            return Err(fault.clone().into());
        }
        let text = std::str::from_utf8(&row.text).map_err(|_| Rule::RowNotUtf8)?;
        self.value = json_row(text)?;
        Fields::of_object(self.columns.known, Cell::Json(&self.value))
    }
}

fn json_row(text: &str) -> Result<Json, Problems> {
    let json = Json::parse(text.as_bytes());
    json.map_err(|error| Rule::RowNotJson { problem: within_line(&error), column: error.column() }.into())
}

/// The cells of a record, unquoted into `cells`. Ignored ones are empty, because a program may have saved the reasons of a reject file in
/// another encoding.
fn cells_of<'c>(
    row: &RawRow,
    separator: u8,
    cells: &'c mut ByteRecord,
    is_escaped: bool,
    is_ignored: impl Fn(usize) -> bool,
) -> Result<Vec<&'c str>, Problems> {
    if let Some(fault) = &row.fault {
        return Err(fault.clone().into());
    }
    split(&row.text, separator, cells);
    if is_escaped {
        *cells = cells.iter().map(|cell| exact_cell(cell, separator)).collect();
    }
    let cells = cells.iter().enumerate();
    cells.map(|(place, cell)| if is_ignored(place) { Ok("") } else { text_of(cell, is_escaped) }).collect()
}

/// The text of a cell. The console writes U+FFFD into its file of refused rows for what was not UTF-8.
fn text_of(cell: &[u8], is_escaped: bool) -> Result<&str, Problems> {
    let text = std::str::from_utf8(cell).map_err(|_| Rule::RowNotUtf8)?;
    let is_lost = is_escaped && text.contains(char::REPLACEMENT_CHARACTER);
    if is_lost { Err(Rule::LostCharacter.into()) } else { Ok(text) }
}

/// The cell without the apostrophes of [`spreadsheet_text_of`](pointbook_domain::spreadsheet::spreadsheet_text_of()).
pub(super) fn exact_cell(cell: &[u8], separator: u8) -> Vec<u8> {
    str::from_utf8(cell).map_or_else(|_| cell.to_vec(), |text| exact_text(text, separator).into_bytes())
}

fn line_breaks(text: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', text).count() as u64
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    const COLUMNS: Columns = Columns { known: &["id", "title"], required: &["id"] };

    fn open(text: &[u8]) -> Result<Rows, String> {
        let input = Input::reader(Cursor::new(text.to_vec()), Some(Format::Csv));
        Rows::open(input, COLUMNS).map_err(|error| error.to_string())
    }

    /// Each row: its line, its raw text, and its title or its problems.
    fn rows(text: &[u8]) -> Vec<(u64, String, Result<Option<String>, String>)> {
        let mut rows = open(text).unwrap();
        let mut found = Vec::new();
        while let Some(row) = rows.next_row().unwrap() {
            let title = rows.fields(&row).map(|mut fields| fields.optional("title", |cell| cell.text(1_000)));
            let text = String::from_utf8_lossy(&row.text).into_owned();
            found.push((row.line, text, title.map_err(|problems| problems.to_string())));
        }
        found
    }

    fn good(line: u64, text: &str, title: &str) -> (u64, String, Result<Option<String>, String>) {
        (line, text.to_owned(), Ok(Some(title.to_owned())))
    }

    #[test]
    fn row_line_is_its_first_line() {
        let text = b"id,title\n\n1,\"a\nb\n\"\r\n\r\n2,c\n3,\"d \"\"e\"\"\"";
        let expected =
            [good(3, "1,\"a\nb\n\"", "a\nb\n"), good(7, "2,c", "c"), good(8, "3,\"d \"\"e\"\"\"", "d \"e\"")];
        assert_eq!(rows(text), expected);
    }

    #[test]
    fn invalid_rows_do_not_affect_others() {
        let found = rows(b"id,title\n1\n2,b,c\n3,\xff\n4,d\n");
        let problem = |index: usize| found[index].2.clone().unwrap_err();
        assert_eq!(problem(0), "the row has 1 cells but the header has 2");
        assert_eq!(problem(1), "the row has 3 cells but the header has 2");
        assert_eq!(
            problem(2),
            "the row is not UTF-8, perhaps it is Windows-1252: save the file as UTF-8 (in Excel: CSV UTF-8)"
        );
        assert_eq!(found[3], good(5, "4,d", "d"));
    }

    #[test]
    fn reasons_of_a_reject_file_may_be_any_bytes() {
        let plain = rows(b"line,reason,id,title\n2,caf\xe9,1,a\n");
        assert_eq!(plain[0].2, Ok(Some("a".to_owned())));
        let escaped = rows("line,reason,escaped,id,title\n2,got \u{fffd},\u{fffd},1,a\n".as_bytes());
        assert_eq!(escaped[0].2, Ok(Some("a".to_owned())));
        let lines = rows(b"line,reason,row\n7,caf\xe9,\"{\"\"id\"\":\"\"1\"\",\"\"title\"\":\"\"a\"\"}\"\n");
        assert_eq!(lines[0].2, Ok(Some("a".to_owned())));
    }

    #[test]
    fn unclosed_quote_makes_row_invalid() {
        let found = rows(b"id,title\n1,a\n2,\"b\n3,c\n");
        assert_eq!(found[0], good(2, "1,a", "a"));
        assert_eq!((found[1].0, found[1].1.as_str(), found.len()), (3, "2,\"b\n3,c", 2));
        assert!(found[1].2.clone().unwrap_err().starts_with("a quote is not closed"));
    }

    #[test]
    fn cell_that_continues_after_closing_quote_makes_row_invalid() {
        let found =
            rows(b"id,title\n1,\"12\" pizza pan\"\n\"2\" ,b\n3,12\" pan\n4,\"12\"\" pan\"\r\n\"5\",\"\"");
        for (index, cell) in [(0, "cell 2"), (1, "cell 1")] {
            let problem = found[index].2.clone().unwrap_err();
            assert!(problem.starts_with(&format!("{cell} continues after its closing quote")), "{problem}");
        }
        assert_eq!(found[2], good(4, "3,12\" pan", "12\" pan"));
        assert_eq!(found[3], good(5, "4,\"12\"\" pan\"", "12\" pan"));
        assert_eq!(found[4], (6, "\"5\",\"\"".to_owned(), Ok(None)));
        let header = open(b"\"id\" x,title\n1,a\n").err().unwrap();
        assert!(header.starts_with("the header line: cell 1 continues"), "{header}");
    }

    #[test]
    fn a_line_of_a_jsonl_file_comes_back_from_its_reject_file() {
        let found =
            rows(b"line,reason,row\n7,why,\"{\"\"id\"\":\"\"1\"\",\"\"title\"\":\"\"a\"\"}\"\n9,why,{\n");
        assert_eq!(found[0].2, Ok(Some("a".to_owned())));
        assert!(found[1].2.clone().unwrap_err().starts_with("the row is not valid JSON"));
    }

    #[test]
    fn overlong_row_is_cut_and_later_line_numbers_stay_right() {
        let long = "x\n".repeat(MAX_ROW_BYTES);
        let found = rows(format!("id,title\n1,\"{long}\"\n2,b\n").as_bytes());
        assert_eq!((found[0].0, found[0].1.len()), (2, MAX_ROW_BYTES));
        assert!(found[0].2.clone().unwrap_err().starts_with("the row is longer than"));
        assert_eq!(found[1], good(3 + MAX_ROW_BYTES as u64, "2,b", "b"));
    }

    #[test]
    fn long_row_within_limit_is_complete() {
        let title = "x".repeat(100_000);
        assert_eq!(rows(format!("id,title\n1,{title}\n").as_bytes())[0].1.len(), 100_002);
    }

    #[test]
    fn header_error_lists_all_problems() {
        let problem = |header: &[u8]| open(header).err().unwrap();
        assert_eq!(
            problem(b"title,name,title\n"),
            "the header line: unknown column \"name\"; title: appears twice; id: is required; the known columns are id, title"
        );
        assert_eq!(problem(b"\n\n"), "the input is empty: its first line must name the columns");
        assert!(open(b" id , title\r\n").is_ok());
    }
}
