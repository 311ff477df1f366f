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
mod scan;
mod text;
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
pub use order_list::{OrderListQuery, order_list_query, unfiltered_list_query};
pub(crate) use point_history::point_history_parameters;
pub use point_history::point_history_query;
pub(crate) use product_list::product_list_parameters;
pub use product_list::product_list_query;
pub use text::Text;
pub(crate) use user_list::user_list_parameters;
pub use user_list::{UserListQuery, user_list_query};

use memchr::memchr2_iter;

use crate::error::FieldErrors;
use members::Parameters;
use name::{MAX_DEPTH, Path};
use scan::find_either;

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
        let pairs = Pairs { raw, from: 0 };
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
    raw: &'q str,
    from: usize,
}

impl<'q> Iterator for Pairs<'q> {
    type Item = (&'q [u8], &'q str);

    fn next(&mut self) -> Option<Self::Item> {
        let bytes = self.raw.as_bytes();
        while bytes.get(self.from) == Some(&b'&') {
            self.from += 1;
        }
        let start = self.from;
        if start >= bytes.len() {
            return None;
        }
        let name_end = self.stop(start, b'=', b'&')?;
        let value_start = name_end + usize::from(bytes.get(name_end) == Some(&b'='));
        self.from = self.stop(name_end, b'&', b'&')?;
        Some((bytes.get(start..name_end)?, self.raw.get(value_start..self.from)?))
    }
}

impl Pairs<'_> {
    /// Where the first of two ASCII characters stands, or the end.
    fn stop(&self, from: usize, one: u8, other: u8) -> Option<usize> {
        let rest = self.raw.as_bytes().get(from..)?;
        Some(from + find_either(rest, one, other).unwrap_or(rest.len()))
    }
}

#[cfg(test)]
mod tests;
