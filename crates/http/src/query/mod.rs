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

pub(crate) use category_list::category_list_parameters;
pub use category_list::category_list_query;
pub(crate) use import_mode::import_mode_parameters;
pub use import_mode::{ImportMode, import_mode_query};
pub use links::PageLinks;
pub(crate) use managed_product_list::managed_product_list_parameters;
pub use managed_product_list::{ManagedProductListQuery, managed_product_list_query};
pub use members::{Members, Value};
pub(crate) use order_list::order_list_parameters;
pub use order_list::{OrderListQuery, order_list_query, own_order_list_query};
pub(crate) use point_history::point_history_parameters;
pub use point_history::point_history_query;
pub(crate) use product_list::product_list_parameters;
pub use product_list::product_list_query;
pub(crate) use user_list::user_list_parameters;
pub use user_list::{UserListQuery, user_list_query};

use std::borrow::Cow;

use memchr::memchr2_iter;

use crate::error::FieldErrors;
use name::{MAX_DEPTH, levels};
use percent::decode_form;

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
        let raw = raw.unwrap_or_default();
        let mut parameters = Members::default();
        for (place, pair) in raw.split('&').filter(|pair| !pair.is_empty()).enumerate() {
            if place == MAX_PAIRS {
                return Err(refused(format!("The query must not have more than {MAX_PAIRS} items.")));
            }
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let path = levels(decode_form(name));
            if path.len() > MAX_DEPTH {
                return Err(refused(format!("The query must not have more than {MAX_DEPTH} levels.")));
            }
            parameters.set(path, trimmed(decode_form(value)));
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
        // A pair has a character at least. Each level but two begins with a bracket right behind a bracket, of which
        // both may be encoded.
        let bytes = raw.as_bytes();
        let is_behind_bracket = |place: &usize| matches!(bytes.get(..*place), Some([.., b']' | b'D' | b'd']));
        let brackets = memchr2_iter(b'[', b'%', bytes).filter(is_behind_bracket);
        if raw.len() <= MAX_PAIRS && brackets.count() < MAX_DEPTH - 1 {
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

/// Trims white space; of bytes that are no UTF-8, only ASCII white space.
fn trimmed(value: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    fn trim(value: &[u8]) -> &[u8] {
        std::str::from_utf8(value).map_or_else(|_| value.trim_ascii(), |text| text.trim().as_bytes())
    }
    match value {
        Cow::Borrowed(value) => Cow::Borrowed(trim(value)),
        Cow::Owned(value) => Cow::Owned(trim(&value).to_vec()),
    }
}

#[cfg(test)]
mod tests;
