//! Writes rows of named values as CSV records or JSON objects.

use std::io;
use std::io::Write;

use pointbook_domain::spreadsheet::spreadsheet_text;
use serde::Serialize;

use crate::import::Format;

pub(super) enum Value {
    Text(String),
    /// Any other value, encoded as JSON. In CSV, null, an empty list and an empty object become an empty cell.
    Json(String),
}

impl Value {
    pub(super) fn text(value: &impl ToString) -> Self {
        Self::Text(value.to_string())
    }

    /// A member of a view.
    pub(super) fn of(value: serde_json::Value) -> Self {
        match value {
            serde_json::Value::String(text) => Self::Text(text),
            other => Self::Json(other.to_string()),
        }
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
            Self::Json(json) if ["[]", "{}", "null"].contains(&json.as_str()) => String::new(),
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

/// How strings are written into CSV cells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Cells {
    /// Unchanged, so that an import reads the same strings.
    #[default]
    Exact,
    /// With an apostrophe before a string that a spreadsheet would run as a formula.
    ExcelSafe,
}

impl Cells {
    pub fn text(self, text: String) -> String {
        if self == Self::ExcelSafe { spreadsheet_text(&text) } else { text }
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
    /// Writes the header of a CSV file. Every other format is written as JSON Lines, which have no header.
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

    /// Writes one row. The values are in the order of the columns.
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

    /// Flushes the writer. Returns the number of rows.
    pub(super) fn finish(self) -> io::Result<u64> {
        if let Form::Csv(mut writer, _) = self.form {
            writer.flush()?;
        }
        Ok(self.rows)
    }
}

/// Unwraps the I/O error of the CSV writer, so that callers can still recognize a broken pipe.
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
    fn an_empty_value_is_an_empty_cell() {
        for json in ["[]", "{}", "null"] {
            assert_eq!(Value::Json(json.to_owned()).into_cell(Cells::Exact), "");
            assert_eq!(Value::Json(json.to_owned()).into_json().unwrap(), json);
        }
    }

    #[test]
    fn excel_safe_string_that_looks_like_formula_gets_apostrophe() {
        for text in ["=1+1", "+1", "-1", "@SUM(1)", "\ta", "\ra", "＝1"] {
            assert_eq!(Cells::ExcelSafe.text(text.to_owned()), format!("'{text}"));
            assert_eq!(Cells::Exact.text(text.to_owned()), text);
        }
        assert_eq!(Cells::ExcelSafe.text("a=1".to_owned()), "a=1");
        assert_eq!(Cells::ExcelSafe.text("a;=1".to_owned()), "a;'=1");
        assert_eq!(Value::json(&-5).unwrap().into_cell(Cells::ExcelSafe), "-5");
    }
}
