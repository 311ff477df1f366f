//! Rows as CSV records. A cell in quotes may hold line breaks, so a record may take several lines.

use std::io::{self, BufRead};

use csv_core::ReadRecordResult;

use super::ImportError;
use super::fields::Fields;
use super::header::Header;
use super::kind::Columns;
use super::limits::MAX_ROW_BYTES;
use super::problems::Problems;
use super::quotes::check_quotes;
use super::rows::{Column, RawRow, RowSource, not_utf8, overlong};
use super::source::Text;

/// A header and its records.
pub(super) struct CsvRows {
    records: Records,
    header: Vec<Column>,
}

impl CsvRows {
    /// Reads the header: it may name any of the known columns once each, and must name some.
    pub(super) fn open(text: Text, columns: Columns) -> Result<Self, ImportError> {
        let mut records = Records::new(text);
        let found = records.next_record().map_err(ImportError::Unreadable)?;
        if found.is_none() {
            return Err(ImportError::Usage(
                "the input is empty; its first line names the columns".to_owned(),
            ));
        }
        let header = records.cells().and_then(|cells| Header { cells: &cells, columns }.check());
        let header = header.map_err(|problems| ImportError::Usage(format!("the header line: {problems}")))?;
        Ok(Self { records, header })
    }
}

impl RowSource for CsvRows {
    fn next_row(&mut self) -> io::Result<Option<RawRow>> {
        self.records.next_record()
    }

    fn columns(&self) -> Option<Vec<Column>> {
        Some(self.header.clone())
    }

    fn fields(&mut self) -> Result<Fields<'_>, Problems> {
        let cells = self.records.cells()?;
        if cells.len() != self.header.len() {
            let (cells, columns) = (cells.len(), self.header.len());
            return Err(Problems::one(
                "",
                format!("the row has {cells} cells where the header has {columns}"),
            ));
        }
        let known = self.header.iter().zip(cells).filter_map(|(column, cell)| Some(((*column)?, cell)));
        Ok(Fields::of_csv(known))
    }
}

/// Splits text into records, keeping the raw text of the current one beside its cells.
struct Records {
    text: Text,
    parser: csv_core::Reader,
    /// The line that the next record begins on, from 1.
    line_number: u64,
    raw: Vec<u8>,
    unquoted: Vec<u8>,
    ends: Vec<usize>,
    cell_count: usize,
    /// How many lines the current record and the empty lines before it end.
    breaks: u64,
    problem: Option<Problems>,
}

impl Records {
    fn new(text: Text) -> Self {
        let (raw, unquoted, ends) = (Vec::new(), vec![0; 4 << 10], vec![0; 32]);
        let parser = csv_core::Reader::new();
        Self { text, parser, line_number: 1, raw, unquoted, ends, cell_count: 0, breaks: 0, problem: None }
    }

    fn next_record(&mut self) -> io::Result<Option<RawRow>> {
        (self.cell_count, self.breaks, self.problem) = (0, 0, None);
        self.raw.clear();
        if !self.read_record()? {
            return Ok(None);
        }
        let is_break = |byte: &u8| b"\r\n".contains(byte);
        let before = self.raw.iter().take_while(|byte| is_break(byte)).count();
        let (blank, text) = self.raw.split_at(before);
        let after = text.iter().rev().take_while(|byte| is_break(byte)).count();
        let (text, _) = text.split_at(text.len() - after);
        if self.problem.is_none() {
            self.problem = check_quotes(text).err();
        }
        let line = self.line_number + line_breaks(blank);
        self.line_number += self.breaks;
        Ok(Some(RawRow { line, text: text.to_vec(), is_whole: self.problem.is_none() }))
    }

    /// Lets the parser take chunks until a record is complete; false at the end of the text. The
    /// end of the text is given to the parser as a line end first: when that completes nothing, a
    /// quote is open.
    fn read_record(&mut self) -> io::Result<bool> {
        let (mut written, mut is_flushed) = (0, false);
        loop {
            let chunk = self.text.fill_buf()?;
            let is_end = chunk.is_empty();
            let input = if is_end && !is_flushed { b"\n" } else { chunk };
            let unquoted = self.unquoted.get_mut(written..).unwrap_or_default();
            let ends = self.ends.get_mut(self.cell_count..).unwrap_or_default();
            let (result, used, wrote, ended) = self.parser.read_record(input, unquoted, ends);
            if !is_end {
                let used_text = input.get(..used).unwrap_or_default();
                self.breaks += line_breaks(used_text);
                let room = MAX_ROW_BYTES.saturating_sub(self.raw.len());
                self.raw.extend_from_slice(used_text.get(..room).unwrap_or(used_text));
                if used > room {
                    self.problem = Some(overlong());
                }
                self.text.consume(used);
            }
            (written, self.cell_count) =
                if self.problem.is_some() { (0, 0) } else { (written + wrote, self.cell_count + ended) };
            match result {
                ReadRecordResult::Record => return Ok(true),
                ReadRecordResult::End => return Ok(false),
                ReadRecordResult::OutputFull => grow(&mut self.unquoted, written),
                ReadRecordResult::OutputEndsFull => grow(&mut self.ends, self.cell_count),
                ReadRecordResult::InputEmpty if is_end => {
                    is_flushed = true;
                    if self.raw.iter().any(|byte| !b"\r\n".contains(byte)) && self.problem.is_none() {
                        self.problem = Some(Problems::one(
                            "",
                            "a quote is not closed; the row takes in all that follows",
                        ));
                    }
                }
                ReadRecordResult::InputEmpty => {}
            }
        }
    }

    fn cells(&self) -> Result<Vec<&str>, Problems> {
        if let Some(problem) = &self.problem {
            return Err(problem.clone());
        }
        let ends = self.ends.iter().take(self.cell_count);
        let mut start = 0;
        let cells = ends.map(|&end| {
            let cell = self.unquoted.get(start..end).unwrap_or_default();
            start = end;
            std::str::from_utf8(cell).map_err(|_| not_utf8())
        });
        cells.collect()
    }
}

fn line_breaks(text: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', text).count() as u64
}

/// Doubles a buffer that is full; one that is being passed over is used again as it is.
fn grow<T: Clone + Default>(buffer: &mut Vec<T>, used: usize) {
    if used > 0 {
        buffer.resize(buffer.len() * 2, T::default());
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::import::Input;

    const COLUMNS: Columns = Columns { known: &["id", "title"], required: &["id"] };

    fn open(text: &[u8]) -> Result<CsvRows, String> {
        let (_, text) = Input::reader(Cursor::new(text.to_vec()), None).open().unwrap();
        CsvRows::open(text, COLUMNS).map_err(|error| error.to_string())
    }

    /// Each row: its line, its raw text, and its title or what is wrong.
    fn rows(text: &[u8]) -> Vec<(u64, String, Result<Option<String>, String>)> {
        let mut rows = open(text).unwrap();
        let mut found = Vec::new();
        while let Some(row) = rows.next_row().unwrap() {
            let title = rows.fields().map(|mut fields| fields.optional("title", |cell| cell.text(1_000)));
            let text = String::from_utf8_lossy(&row.text).into_owned();
            found.push((row.line, text, title.map_err(|problems| problems.to_string())));
        }
        found
    }

    fn good(line: u64, text: &str, title: &str) -> (u64, String, Result<Option<String>, String>) {
        (line, text.to_owned(), Ok(Some(title.to_owned())))
    }

    #[test]
    fn a_row_is_named_by_its_first_line() {
        let text = b"id,title\n\n1,\"a\nb\n\"\r\n\r\n2,c\n3,\"d \"\"e\"\"\"";
        let expected =
            [good(3, "1,\"a\nb\n\"", "a\nb\n"), good(7, "2,c", "c"), good(8, "3,\"d \"\"e\"\"\"", "d \"e\"")];
        assert_eq!(rows(text), expected);
    }

    #[test]
    fn bad_rows_leave_the_others_good() {
        let found = rows(b"id,title\n1\n2,b,c\n3,\xff\n4,d\n");
        let problem = |place: usize| found[place].2.clone().unwrap_err();
        assert_eq!(problem(0), "the row has 1 cells where the header has 2");
        assert_eq!(problem(1), "the row has 3 cells where the header has 2");
        assert_eq!(
            problem(2),
            "the row is not UTF-8; perhaps it is Windows-1252: save the file as UTF-8 (in Excel: CSV UTF-8)"
        );
        assert_eq!(found[3], good(5, "4,d", "d"));
    }

    #[test]
    fn a_quote_that_is_never_closed_is_a_bad_row() {
        let found = rows(b"id,title\n1,a\n2,\"b\n3,c\n");
        assert_eq!(found[0], good(2, "1,a", "a"));
        assert_eq!((found[1].0, found[1].1.as_str(), found.len()), (3, "2,\"b\n3,c", 2));
        assert!(found[1].2.clone().unwrap_err().starts_with("a quote is not closed"));
    }

    #[test]
    fn a_cell_that_goes_on_after_its_closing_quote_is_a_bad_row() {
        let found =
            rows(b"id,title\n1,\"12\" pizza pan\"\n\"2\" ,b\n3,12\" pan\n4,\"12\"\" pan\"\r\n\"5\",\"\"");
        for (place, cell) in [(0, "cell 2"), (1, "cell 1")] {
            let problem = found[place].2.clone().unwrap_err();
            assert!(problem.starts_with(&format!("{cell} goes on after its closing quote")), "{problem}");
        }
        assert_eq!(found[2], good(4, "3,12\" pan", "12\" pan"));
        assert_eq!(found[3], good(5, "4,\"12\"\" pan\"", "12\" pan"));
        assert_eq!(found[4], (6, "\"5\",\"\"".to_owned(), Ok(None)));
        let header = open(b"\"id\" x,title\n1,a\n").err().unwrap();
        assert!(header.starts_with("the header line: cell 1 goes on"), "{header}");
    }

    #[test]
    fn an_overlong_row_is_cut_and_the_lines_still_count() {
        let long = "x\n".repeat(MAX_ROW_BYTES);
        let found = rows(format!("id,title\n1,\"{long}\"\n2,b\n").as_bytes());
        assert_eq!((found[0].0, found[0].1.len()), (2, MAX_ROW_BYTES));
        assert!(found[0].2.clone().unwrap_err().starts_with("the row is longer than"));
        assert_eq!(found[1], good(3 + MAX_ROW_BYTES as u64, "2,b", "b"));
    }

    #[test]
    fn a_long_row_within_the_limit_is_whole() {
        let title = "x".repeat(100_000);
        assert_eq!(rows(format!("id,title\n1,{title}\n").as_bytes())[0].1.len(), 100_002);
    }

    #[test]
    fn the_header_is_checked_in_full() {
        let problem = |header: &[u8]| open(header).err().unwrap();
        assert_eq!(
            problem(b"title,name,title\n"),
            "the header line: there is no column \"name\"; title: stands twice; id: is missing; the columns are id, title"
        );
        assert_eq!(problem(b"\n\n"), "the input is empty; its first line names the columns");
        assert!(open(b" id , title\r\n").is_ok());
    }
}
