//! The parameter of `POST /v1/manage/products/import`.

use pointbook_describe::{Parameter, Schema};

use super::QueryString;
use super::fields::Fields;
use crate::error::FieldErrors;

/// What bad lines do to the good ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportMode {
    /// One bad line, and nothing is taken.
    Atomic,
    /// Good lines are taken whatever the others are. The default.
    Lines,
}

/// Reads `mode`: `atomic` or `lines`.
///
/// # Errors
/// [`FieldErrors`] for anything else.
pub fn import_mode_query(query: &QueryString<'_>) -> Result<ImportMode, FieldErrors> {
    let mut fields = Fields::default();
    let mode = match fields.text(query.get("mode"), "mode") {
        Some("atomic") => ImportMode::Atomic,
        Some("lines") | None => ImportMode::Lines,
        Some(_) => {
            fields.refuse_choice("mode");
            ImportMode::Lines
        }
    };
    fields.finish(mode)
}

/// What the description says of it.
pub(crate) fn import_mode_parameters() -> [Parameter; 1] {
    [Parameter::query(
        "mode",
        Schema::one_of(["lines", "atomic"]).by_default("lines"),
        "`lines` keeps the good lines and tells the bad ones; `atomic` takes all or nothing, and is 422 with keys such as \
         `lines.3.sku`.",
    )]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mode_is_one_of_two() {
        let read = |raw| {
            let read = import_mode_query(&QueryString::parse(Some(raw)).unwrap());
            read.map_err(|errors| serde_json::to_string(&errors).unwrap())
        };
        for raw in ["", "mode=", "mode=lines", "lines=1&mode[x]="] {
            assert_eq!(read(raw), Ok(ImportMode::Lines), "{raw}");
        }
        assert_eq!(read("mode=+atomic"), Ok(ImportMode::Atomic));
        for raw in ["mode=Atomic", "mode=both", "mode=lines,atomic"] {
            assert_eq!(read(raw), Err(r#"{"mode":["The selected mode is invalid."]}"#.to_owned()), "{raw}");
        }
        assert_eq!(read("mode[]=atomic"), Err(r#"{"mode":["The mode must be a string."]}"#.to_owned()));
    }
}
