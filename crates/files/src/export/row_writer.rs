//! Rows of named values, written as CSV records or as JSON objects.

use std::io::{self, Write};

use serde::Serialize;

use crate::import::Format;

pub(super) enum Value {
    Text(String),
    /// Anything else, as JSON. Null and an empty list are an empty cell in CSV.
    Json(String),
}

impl Value {
    pub(super) fn text(value: &impl ToString) -> Self {
        Self::Text(value.to_string())
    }

    pub(super) fn optional(value: Option<impl ToString>) -> Self {
        value.map_or_else(|| Self::Json("null".to_owned()), |value| Self::text(&value))
    }

    pub(super) fn json(value: &impl Serialize) -> io::Result<Self> {
        Ok(Self::Json(serde_json::to_string(value)?))
    }

    fn into_cell(self, cells: Cells) -> String {
        match self {
            Self::Text(text) => cells.text(text),
            Self::Json(json) if json == "[]" || json == "null" => String::new(),
            Self::Json(json) => json,
        }
    }

    fn into_json(self) -> io::Result<String> {
        match self {
            Self::Text(text) => Ok(serde_json::to_string(&text)?),
            Self::Json(json) => Ok(json),
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
    pub fn text(self, text: String) -> String {
        let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
        if self == Self::ExcelSafe && is_formula { format!("'{text}") } else { text }
    }
}

/// Writes rows of `N` columns in one format.
pub(super) struct RowWriter<'w, const N: usize> {
    columns: &'static [&'static str; N],
    form: Form<'w>,
    rows: u64,
}

enum Form<'w> {
    Csv(Box<csv::Writer<&'w mut (dyn Write + Send)>>, Cells),
    Jsonl(&'w mut (dyn Write + Send)),
}

impl<'w, const N: usize> RowWriter<'w, N> {
    /// Writes the CSV header. Every other format is written as JSON lines, without one.
    pub(super) fn new(
        format: Format,
        columns: &'static [&'static str; N],
        cells: Cells,
        output: &'w mut (dyn Write + Send),
    ) -> io::Result<Self> {
        let form = if format == Format::Csv {
            let mut writer = csv::Writer::from_writer(output);
            writer.write_record(columns).map_err(io_error)?;
            Form::Csv(Box::new(writer), cells)
        } else {
            Form::Jsonl(output)
        };
        Ok(Self { columns, form, rows: 0 })
    }

    /// Writes a row; its values come in the order of the columns.
    pub(super) fn write(&mut self, values: [Value; N]) -> io::Result<()> {
        self.rows += 1;
        match &mut self.form {
            Form::Csv(writer, cells) => {
                writer.write_record(values.map(|value| value.into_cell(*cells))).map_err(io_error)
            }
            Form::Jsonl(writer) => {
                let mut joint = '{';
                for (name, value) in self.columns.iter().zip(values) {
                    write!(writer, "{joint}\"{name}\":{}", value.into_json()?)?;
                    joint = ',';
                }
                writer.write_all(b"}\n")
            }
        }
    }

    /// Passes everything on; gives how many rows there were.
    pub(super) fn finish(self) -> io::Result<u64> {
        if let Form::Csv(mut writer, _) = self.form {
            writer.flush()?;
        }
        Ok(self.rows)
    }
}

/// What lies below an error of the CSV writer: a pipe that broke must still be known as one.
pub fn io_error(error: csv::Error) -> io::Error {
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
        assert_eq!(Value::json(&-5).unwrap().into_cell(Cells::ExcelSafe), "-5");
    }
}
