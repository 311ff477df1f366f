//! Values as they are kept: known to be UTF-8 where nothing had to be decoded.

use std::borrow::Cow;
use std::ops::Deref;

use super::percent::Decode;

/// A value without white space at both ends.
#[derive(Debug)]
pub enum Text<'q> {
    /// A part of the query string as it is.
    Raw(&'q str),
    /// Perhaps no UTF-8.
    Decoded(Vec<u8>),
}

impl Default for Text<'_> {
    fn default() -> Self {
        Self::Raw("")
    }
}

impl<'q> Text<'q> {
    /// Decodes and trims; of what is no UTF-8, only ASCII white space is known.
    pub(super) fn of(raw: &'q str, decode: Decode) -> Self {
        match decode(raw.as_bytes()) {
            Cow::Borrowed(_) => Self::Raw(trim(raw)),
            Cow::Owned(mut bytes) => {
                let text = std::str::from_utf8(&bytes);
                let start =
                    bytes.len() - text.map_or(bytes.trim_ascii_start().len(), |text| text.trim_start().len());
                let end = text.map_or(bytes.trim_ascii_end().len(), |text| text.trim_end().len());
                bytes.truncate(end);
                bytes.drain(..start.min(end));
                Self::Decoded(bytes)
            }
        }
    }
}

/// Trims, which most values are already.
fn trim(text: &str) -> &str {
    match text.as_bytes() {
        [b'!'..=b'~'] | [b'!'..=b'~', .., b'!'..=b'~'] => text,
        _ => text.trim(),
    }
}

impl Deref for Text<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Raw(text) => text.as_bytes(),
            Self::Decoded(bytes) => bytes,
        }
    }
}
