//! Query strings: how they are read, and how they come back in the links of a page.
//!
//! The rules that the interface leaves open, as far as clients see them:
//! - `+` is a space, and a percent sign without two hexadecimal digits stands for itself.
//! - Names are decoded before their brackets are read; `a[]` is the next free index of a list.
//! - A value loses white space at both ends (Unicode's, so that a full-width space goes too); what
//!   is left empty is absent. The last of several values for one name wins, in the first one's place.

mod links;
mod members;
mod name;
mod percent;
mod scan;

pub use links::PageLinks;
pub use members::{Members, Value, list_index};
pub use name::MAX_DEPTH;
pub use percent::{decode_segment, encode_into};

use std::borrow::Cow;

use memchr::memchr2;

use members::{USUAL_MEMBERS, trim};
use name::{NO_LEVELS, path};
use percent::decode_form;
use scan::split_at;

/// The most `name=value` pairs of one query string.
pub const MAX_PAIRS: usize = 1_000;

/// Why a whole query string is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("The query must not have more than {max} {what}.")]
pub struct TooMany {
    what: &'static str,
    max: usize,
}

/// A parsed query string. It borrows from the raw text where nothing had to be decoded.
#[derive(Debug)]
pub struct QueryString<'q> {
    parameters: Members<'q>,
}

/// Without any parameter.
pub static NO_QUERY: QueryString<'static> = QueryString { parameters: Members::NONE };

impl<'q> QueryString<'q> {
    /// Reads the part of a URI behind `?`, which may have any bytes.
    ///
    /// # Errors
    /// More than [`MAX_PAIRS`] pairs, or more than [`MAX_DEPTH`] levels of a name.
    pub fn parse(raw: Option<&'q str>) -> Result<Self, TooMany> {
        let Some(mut rest) = raw else { return Ok(Self { parameters: Members::NONE }) };
        let is_plain = memchr2(b'%', b'+', rest.as_bytes()).is_none();
        let (mut parameters, mut pairs) = (Members::with_room(USUAL_MEMBERS), 0);
        while !rest.is_empty() {
            let (pair, behind) = split_at(rest, b'&');
            rest = behind;
            if pair.is_empty() {
                continue;
            }
            pairs += 1;
            if pairs > MAX_PAIRS {
                return Err(TooMany { what: "items", max: MAX_PAIRS });
            }
            let (name, value) = split_at(pair, b'=');
            if is_plain {
                let mut levels = NO_LEVELS;
                let path = path(name.as_bytes(), &mut levels)?;
                parameters.set(path, Cow::Borrowed, Value::Text(trim(value).into()));
            } else {
                let (name, mut levels) = (decode_form(name.as_bytes()), NO_LEVELS);
                let path = path(&name, &mut levels)?;
                parameters.set(path, |level| level.to_vec().into(), Value::of(value));
            }
        }
        Ok(Self { parameters })
    }

    pub fn parameters(&self) -> &Members<'q> {
        &self.parameters
    }
}
