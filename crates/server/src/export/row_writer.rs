//! Rows of named values, written as CSV records or as JSON objects.

use std::io::{self, Write};

use serde::Serialize;

pub(super) enum Value {
    /// Null in JSON, an empty cell in CSV.
    Absent,
    Text(String),
    Number(i64),
    Flag(bool),
    /// A list as JSON text; an empty cell in CSV when it has no items.
    List(String),
}

impl Value {
    /// A value that may be absent.
    pub(super) fn optional<T>(value: Option<T>, form: impl FnOnce(T) -> Self) -> Self {
        value.map_or(Self::Absent, form)
    }

    /// A list of anything that JSON knows.
    pub(super) fn list(items: &impl Serialize) -> io::Result<Self> {
        Ok(Self::List(serde_json::to_string(items)?))
    }

    fn into_cell(self, cells: Cells) -> String {
        match self {
            Self::Absent => String::new(),
            Self::Text(text) => cells.text(text),
            Self::Number(number) => number.to_string(),
            Self::Flag(flag) => flag.to_string(),
            Self::List(json) if json == "[]" => String::new(),
            Self::List(json) => json,
        }
    }

    fn into_json(self) -> io::Result<String> {
        match self {
            Self::Absent => Ok("null".to_owned()),
            Self::Text(text) => Ok(serde_json::to_string(&text)?),
            Self::Number(number) => Ok(number.to_string()),
            Self::Flag(flag) => Ok(flag.to_string()),
            Self::List(json) => Ok(json),
        }
    }
}

/// How texts are written into CSV.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Cells {
    /// As they are, so that an import takes them in again.
    #[default]
    Exact,
    /// With an apostrophe before what a spreadsheet would take for a formula.
    ExcelSafe,
}

impl Cells {
    pub(crate) fn text(self, text: String) -> String {
        let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
        if self == Self::ExcelSafe && is_formula { format!("'{text}") } else { text }
    }
}

/// Writes rows in one format.
pub(super) enum RowWriter<'w> {
    Csv { writer: Box<csv::Writer<&'w mut (dyn Write + Send)>>, cells: Cells, rows: u64 },
    Jsonl { writer: &'w mut (dyn Write + Send), rows: u64 },
}

impl<'w> RowWriter<'w> {
    pub(super) fn csv(output: &'w mut (dyn Write + Send), cells: Cells) -> Self {
        Self::Csv { writer: Box::new(csv::Writer::from_writer(output)), cells, rows: 0 }
    }

    pub(super) fn jsonl(output: &'w mut (dyn Write + Send)) -> Self {
        Self::Jsonl { writer: output, rows: 0 }
    }

    /// Writes the header, where the format has one.
    pub(super) fn start(&mut self, columns: &[&str]) -> io::Result<()> {
        match self {
            Self::Csv { writer, .. } => writer.write_record(columns).map_err(io_error),
            Self::Jsonl { .. } => Ok(()),
        }
    }

    /// Writes a row; its values come in the order of the columns.
    pub(super) fn write<const N: usize>(
        &mut self,
        columns: &[&str; N],
        values: [Value; N],
    ) -> io::Result<()> {
        match self {
            Self::Csv { writer, cells, rows } => {
                *rows += 1;
                writer.write_record(values.map(|value| value.into_cell(*cells))).map_err(io_error)
            }
            Self::Jsonl { writer, rows } => {
                *rows += 1;
                let mut joint = '{';
                for (name, value) in columns.iter().zip(values) {
                    write!(writer, "{joint}\"{name}\":{}", value.into_json()?)?;
                    joint = ',';
                }
                writer.write_all(b"}\n")
            }
        }
    }

    /// Passes everything on; gives how many rows there were.
    pub(super) fn finish(self) -> io::Result<u64> {
        match self {
            Self::Csv { mut writer, rows, .. } => writer.flush().map(|()| rows),
            Self::Jsonl { rows, .. } => Ok(rows),
        }
    }
}

/// What lies below an error of the CSV writer: a pipe that broke must still be known as one.
pub(crate) fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_begins_a_formula_gets_an_apostrophe() {
        for text in ["=1+1", "+1", "-1", "@SUM(1)", "\t=1", "\r=1"] {
            assert_eq!(Cells::ExcelSafe.text(text.to_owned()), format!("'{text}"));
            assert_eq!(Cells::Exact.text(text.to_owned()), text);
        }
        assert_eq!(Cells::ExcelSafe.text("a=1".to_owned()), "a=1");
        assert_eq!(Value::Number(-5).into_cell(Cells::ExcelSafe), "-5");
    }
}
