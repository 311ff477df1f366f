//! What each operation takes from its query string.

mod fields;
mod lists;

pub(crate) use fields::{ReadQuery, describe};
pub use lists::product_list_query;
pub(crate) use lists::*;
pub use pointbook_query_string::{PageLinks, QueryString, TooMany};

use crate::error::FieldErrors;

impl From<TooMany> for FieldErrors {
    fn from(error: TooMany) -> Self {
        let mut errors = Self::default();
        errors.add("query", error.to_string());
        errors
    }
}

#[cfg(test)]
mod tests;
