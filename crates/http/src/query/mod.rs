//! The query string: how it is read, what each operation takes from it, and how it comes back in
//! the links of a page.
//!
//! The rules that the interface leaves open, as far as clients see them:
//! - `+` is a space, and a percent sign without two hexadecimal digits stands for itself.
//! - Names are decoded before their brackets are read; `a[]` is the next free index of a list.
//! - A value loses white space at both ends (Unicode's, so that a full-width space goes too); what
//!   is left empty is absent. The last of several values for one name wins, in the first one's place.

mod category_list;
mod fields;
mod import_mode;
mod integer;
mod links;
mod managed_product_list;
mod members;
mod name;
mod order_list;
mod page;
pub(crate) mod percent;
mod point_history;
mod product_list;
mod user_list;

pub use category_list::category_list_query;
pub use import_mode::{ImportMode, import_mode_query};
pub use links::PageLinks;
pub use managed_product_list::{ManagedProductListQuery, managed_product_list_query};
pub use members::{Members, Value};
pub use order_list::{OrderListQuery, order_list_query, own_order_list_query};
pub use point_history::point_history_query;
pub use product_list::product_list_query;
pub use user_list::{UserListQuery, user_list_query};

use std::borrow::Cow;

use crate::error::FieldErrors;
use name::{MAX_DEPTH, split_name};

/// The most `name=value` pairs of one query string.
pub const MAX_PAIRS: usize = 1_000;

/// The key under which a query string is refused as a whole.
const WHOLE: &str = "query";

/// A query string, read once. It borrows from the raw text where nothing had to be decoded.
#[derive(Debug, Default)]
pub struct QueryString<'q> {
    parameters: Members<'q>,
}

impl<'q> QueryString<'q> {
    /// Reads the part of a URI behind `?`, whatever it holds.
    ///
    /// # Errors
    /// [`FieldErrors`] for more than [`MAX_PAIRS`] pairs, and for a name of more than 8 levels.
    pub fn parse(raw: Option<&'q str>) -> Result<Self, FieldErrors> {
        let mut parameters = Members::default();
        let pairs = raw.unwrap_or_default().split('&').filter(|pair| !pair.is_empty());
        for (place, pair) in pairs.enumerate() {
            if place == MAX_PAIRS {
                return Err(refused(format!("The query must not have more than {MAX_PAIRS} items.")));
            }
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let path = split_name(name);
            if path.len() > MAX_DEPTH {
                return Err(refused(format!("The query must not have more than {MAX_DEPTH} levels.")));
            }
            parameters.set(path.into_iter(), trimmed(percent::decode_form(value)));
        }
        Ok(Self { parameters })
    }

    /// Refuses what [`Self::parse`] does; the same for operations without parameters. Most query strings are
    /// known to be good without being read.
    ///
    /// # Errors
    /// Those of [`Self::parse`].
    pub fn check(raw: Option<&'q str>) -> Result<(), FieldErrors> {
        let Some(raw) = raw else { return Ok(()) };
        // A pair has a character at least, and a level a bracket, which may be encoded.
        let brackets = raw.bytes().filter(|byte| matches!(byte, b'[' | b'%')).count();
        if raw.len() <= MAX_PAIRS && brackets < MAX_DEPTH {
            return Ok(());
        }
        Self::parse(Some(raw)).map(drop)
    }

    /// A top-level parameter; none when it is absent or empty.
    pub fn get(&self, name: &str) -> Option<&Value<'q>> {
        self.parameters.get(name)
    }

    /// All parameters, in the order of their first appearance.
    pub(crate) fn parameters(&self) -> &Members<'q> {
        &self.parameters
    }
}

fn refused(message: String) -> FieldErrors {
    let mut errors = FieldErrors::default();
    errors.add(WHOLE, message);
    errors
}

/// Without white space at both ends; of text that is no UTF-8, only ASCII white space is known.
fn trimmed(value: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    let (start, length) = match std::str::from_utf8(&value) {
        Ok(text) => (text.len() - text.trim_start().len(), text.trim().len()),
        Err(_) => (value.len() - value.trim_ascii_start().len(), value.trim_ascii().len()),
    };
    if length == value.len() {
        return value;
    }
    // Text of white space alone has no start within it.
    let range = start.min(value.len() - length)..;
    match value {
        Cow::Borrowed(bytes) => {
            Cow::Borrowed(bytes.get(range).and_then(|rest| rest.get(..length)).unwrap_or_default())
        }
        Cow::Owned(mut bytes) => {
            bytes.drain(..range.start);
            bytes.truncate(length);
            Cow::Owned(bytes)
        }
    }
}

#[cfg(test)]
mod tests;
