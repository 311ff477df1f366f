//! The query parameters of each operation.

mod fields;
mod lists;

pub(crate) use fields::{ReadQuery, describe};
pub use lists::product_list_query;
pub(crate) use lists::*;
pub use pointbook_query_string::{PageLinks, QueryString, TooMany};

use crate::error::{FieldCode, FieldErrors, Rule};

/// Parses the query string of a request.
pub(crate) fn parse(query: Option<&str>) -> Result<QueryString<'_>, FieldErrors> {
    let refused = |error: TooMany| Rule::sentence(FieldCode::TooMany, error.to_string());
    QueryString::parse(query).map_err(|error| FieldErrors::one("query", refused(error)))
}

#[cfg(test)]
mod tests;
