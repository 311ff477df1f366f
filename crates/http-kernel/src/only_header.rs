//! Headers that a request may have once.

use http::{HeaderMap, HeaderName, HeaderValue};

/// A request has the header several times.
#[derive(Debug, PartialEq, Eq)]
pub struct Repeated;

/// The value of a header that may stand once.
///
/// # Errors
/// [`Repeated`] when it stands several times.
pub fn only_header<'h>(
    headers: &'h HeaderMap,
    name: &HeaderName,
) -> Result<Option<&'h HeaderValue>, Repeated> {
    let first = headers.get(name);
    // Most requests have no header twice, and then there is no second one to look for.
    let is_single = headers.len() == headers.keys_len() || headers.get_all(name).iter().nth(1).is_none();
    if is_single { Ok(first) } else { Err(Repeated) }
}

#[cfg(test)]
mod tests {
    use http::header::{ACCEPT, HOST};

    use super::*;

    #[test]
    fn a_header_stands_once_or_not_at_all() {
        let mut headers = HeaderMap::new();
        assert_eq!(only_header(&headers, &HOST), Ok(None));
        for (name, value) in [(HOST, "a"), (ACCEPT, "x"), (ACCEPT, "y")] {
            headers.append(name, HeaderValue::from_static(value));
        }
        assert_eq!(only_header(&headers, &HOST), Ok(Some(&HeaderValue::from_static("a"))));
        assert_eq!(only_header(&headers, &ACCEPT), Err(Repeated));
    }
}
