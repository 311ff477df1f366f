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
mod text;
mod user_list;

pub use category_list::category_list_query;
pub use import_mode::{ImportMode, import_mode_query};
pub use links::PageLinks;
pub use managed_product_list::{ManagedProductListQuery, managed_product_list_query};
pub use members::{Members, Value};
pub use order_list::{OrderListQuery, order_list_query, own_order_list_query};
pub use point_history::point_history_query;
pub use product_list::product_list_query;
pub use text::Text;
pub use user_list::{UserListQuery, user_list_query};

use crate::error::FieldErrors;
use members::Parameters;
use name::{MAX_DEPTH, Path};

/// The most `name=value` pairs of one query string.
pub const MAX_PAIRS: usize = 1_000;

/// The key under which a query string is refused as a whole.
const WHOLE: &str = "query";

/// A query string, read once. It borrows from the raw text where nothing had to be decoded.
#[derive(Debug, Default)]
pub struct QueryString<'q> {
    parameters: Parameters<'q>,
}

impl<'q> QueryString<'q> {
    /// Reads the part of a URI behind `?`, whatever it holds.
    ///
    /// # Errors
    /// [`FieldErrors`] for more than [`MAX_PAIRS`] pairs, and for a name of more than 8 levels.
    pub fn parse(raw: Option<&'q str>) -> Result<Self, FieldErrors> {
        let raw = raw.unwrap_or_default();
        let mut parameters = Parameters::default();
        let decode = percent::decoder_for(raw);
        let pairs = Pairs { rest: raw };
        for (place, (name, value)) in pairs.enumerate() {
            if place == MAX_PAIRS {
                return Err(refused(format!("The query must not have more than {MAX_PAIRS} items.")));
            }
            let path = Path::of(name);
            if path.is_too_deep() {
                return Err(refused(format!("The query must not have more than {MAX_DEPTH} levels.")));
            }
            parameters.set(path.levels().iter().map(|level| decode(level)), Text::of(value, decode));
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
    pub fn get(&self, name: &str) -> Option<Value<'_>> {
        self.parameters().get(name)
    }

    /// All parameters, in the order of their first appearance.
    pub(crate) fn parameters(&self) -> Members<'_> {
        self.parameters.members()
    }
}

fn refused(message: String) -> FieldErrors {
    let mut errors = FieldErrors::default();
    errors.add(WHOLE, message);
    errors
}

/// Names and values as they come; a pair without `=` has an empty value.
struct Pairs<'q> {
    rest: &'q str,
}

impl<'q> Iterator for Pairs<'q> {
    type Item = (&'q str, &'q str);

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(rest) = self.rest.strip_prefix('&') {
            self.rest = rest;
        }
        if self.rest.is_empty() {
            return None;
        }
        let (name, rest) = split_before(self.rest, |byte| matches!(byte, b'=' | b'&'));
        let value = rest.strip_prefix('=').map(|rest| split_before(rest, |byte| byte == b'&'));
        let (value, rest) = value.unwrap_or(("", rest));
        self.rest = rest;
        Some((name, value))
    }
}

/// What stands before the first of some ASCII characters, and it with all behind it.
fn split_before(raw: &str, is_stop: impl Fn(u8) -> bool) -> (&str, &str) {
    let place = raw.bytes().position(is_stop);
    place.and_then(|place| raw.split_at_checked(place)).unwrap_or((raw, ""))
}

#[cfg(test)]
mod tests;
