//! The query parameters of each operation.

mod fields;
mod lists;

pub use fields::{Fields, ReadQuery, describe};
pub use lists::{ImportMode, dry_run, import_lines, picture_list, unfiltered_list};
use pointbook_domain::errors::{FieldCode, FieldErrors, Rule};

use crate::query_string::{QueryString, TooMany};

/// Parses the query string of a request.
///
/// # Errors
/// It has too many parameters, or their names have too many levels.
pub fn parse(query: Option<&str>) -> Result<QueryString<'_>, FieldErrors> {
    let refused = |error: TooMany| Rule::sentence(FieldCode::TooMany, error.to_string());
    QueryString::parse(query).map_err(|error| FieldErrors::one("query", refused(error)))
}

#[cfg(test)]
mod tests;
