//! The parameters that operations of several nouns have.

use pointbook_domain::PageQuery;

use crate::describe::Schema;
use crate::query::Fields;

/// A page of a list without filters.
pub fn unfiltered_list(fields: &mut Fields<'_>) -> PageQuery {
    let page = fields.page();
    fields.filter(|_| page)
}

/// `GET /v1/manage/pictures`.
pub fn picture_list(fields: &mut Fields<'_>) -> PageQuery {
    fields.page()
}

/// How bad lines affect the good ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportMode {
    /// One bad line, and no line is stored.
    Atomic,
    /// Good lines are stored even if others are bad. The default.
    Lines,
}

/// `POST /v1/manage/products/import` and `POST /v1/manage/users/import`: the mode, and whether the server only tries the lines.
pub fn import_lines(fields: &mut Fields<'_>) -> (ImportMode, bool) {
    (import_mode(fields), dry_run(fields))
}

fn import_mode(fields: &mut Fields<'_>) -> ImportMode {
    const MODE: &str = "`lines` stores the good lines and reports the bad ones. `atomic` stores all lines or none; a \
                        bad line gets a 422 with keys such as `lines.3.sku`.";
    let schema = || Schema::one_of(["lines", "atomic"]).by_default("lines");
    let mode = fields.text_as("mode", MODE, schema, |text| match text {
        "atomic" => Some(ImportMode::Atomic),
        "lines" => Some(ImportMode::Lines),
        _ => None,
    });
    mode.unwrap_or(ImportMode::Lines)
}

/// `POST /v1/manage/activities/import`: whether the server only tries the lines.
pub fn dry_run(fields: &mut Fields<'_>) -> bool {
    const DRY_RUN: &str = "Whether the server only tries the lines: it checks all of them and says what would become of \
                           each, and stores nothing. It ignores an `Idempotency-Key` then. Default: false.";
    fields.flag("dry_run", DRY_RUN).unwrap_or(false)
}

#[cfg(test)]
mod tests;
