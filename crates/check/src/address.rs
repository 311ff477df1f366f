//! Addresses: the one that is examined, and those in its answers.

use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// What stands as it is in a segment of a path and in a query (RFC 3986, unreserved).
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Why a text is no base address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// Another scheme, or none.
    #[error("it must begin with http:// or https://")]
    Scheme,
    /// Nobody to connect to.
    #[error("it names no host")]
    Host,
    /// A name or a password, which would be shown.
    #[error("it must not hold a user or a password")]
    User,
    /// What follows a path.
    #[error("it must end with its path, without ? or #")]
    Query,
    /// A character that no address has.
    #[error("it holds a blank or another character that must be percent-encoded")]
    Character,
}

/// The base address of a server of the interface; all paths are appended to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseAddress {
    url: Url,
}

/// A web address in its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Url {
    scheme: &'static str,
    /// Host and port, in small letters, without the scheme's own port.
    authority: String,
    path: String,
    /// Names and values, decoded, in their order.
    pub(crate) query: Query,
}

/// Names and values, decoded, in their order.
pub(crate) type Query = Vec<(String, String)>;

impl BaseAddress {
    /// Reads an address; a slash at its end is left out.
    ///
    /// # Errors
    /// [`AddressError`] for what is no base address.
    pub fn parse(text: &str) -> Result<Self, AddressError> {
        if text.contains(['?', '#']) {
            return Err(AddressError::Query);
        }
        let mut url = Url::parse(text)?;
        url.path.truncate(url.path.trim_end_matches('/').len());
        Ok(Self { url })
    }

    pub(crate) fn authority(&self) -> &str {
        &self.url.authority
    }

    pub(crate) fn is_https(&self) -> bool {
        self.url.scheme == "https://"
    }

    /// The whole address of a path below, with a query.
    pub(crate) fn join(&self, path: &str, query: &[(String, String)]) -> String {
        let pairs: Vec<String> =
            query.iter().map(|(name, value)| format!("{}={}", escaped(name), escaped(value))).collect();
        let mark = if pairs.is_empty() { "" } else { "?" };
        format!("{self}{path}{mark}{}", pairs.join("&"))
    }

    /// The path below this address to which a link leads, with its query; none where it leads elsewhere.
    pub(crate) fn within(&self, link: &str) -> Option<(String, Query)> {
        let found = Url::parse(link).ok()?;
        if (found.scheme, &found.authority) != (self.url.scheme, &self.url.authority) {
            return None;
        }
        let below = found.path.strip_prefix(&self.url.path).filter(|below| below.starts_with('/'))?;
        Some((below.to_owned(), found.query))
    }
}

impl fmt::Display for BaseAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Url { scheme, authority, path, query: _ } = &self.url;
        write!(f, "{scheme}{authority}{path}")
    }
}

impl Url {
    pub(crate) fn parse(text: &str) -> Result<Self, AddressError> {
        if text.chars().any(|found| !found.is_ascii_graphic()) {
            return Err(AddressError::Character);
        }
        let schemes = [("http://", ":80"), ("https://", ":443")];
        let scheme = schemes.into_iter().find(|(scheme, _)| {
            text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
        });
        let (scheme, port) = scheme.ok_or(AddressError::Scheme)?;
        let rest = text.get(scheme.len()..).unwrap_or_default();
        let rest = rest.split('#').next().unwrap_or_default();
        let (address, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (authority, path) = address.split_at(address.find('/').unwrap_or(address.len()));
        if authority.contains('@') {
            return Err(AddressError::User);
        }
        let authority = authority.strip_suffix(port).unwrap_or(authority).to_ascii_lowercase();
        if authority.is_empty() || authority.starts_with(':') {
            return Err(AddressError::Host);
        }
        Ok(Self { scheme, authority, path: path.to_owned(), query: read_query(query) })
    }
}

fn read_query(text: &str) -> Query {
    let pairs = text.split('&').filter(|pair| !pair.is_empty());
    let decoded = |text: &str| percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned();
    let pair = |pair: &str| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (decoded(name), decoded(value))
    };
    pairs.map(pair).collect()
}

/// A text as it stands in a segment of a path, or in a query.
pub(crate) fn escaped(text: &str) -> String {
    utf8_percent_encode(text, ESCAPED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_base_address_is_refused() {
        for (text, error) in [
            ("shop.example/api", AddressError::Scheme),
            ("ftp://shop.example/api", AddressError::Scheme),
            ("https:///api", AddressError::Host),
            ("https://:8080/api", AddressError::Host),
            ("https://me:hush@shop.example/api", AddressError::User),
            ("https://shop.example/api?x=1", AddressError::Query),
            ("https://shop.example/my api", AddressError::Character),
        ] {
            assert_eq!(BaseAddress::parse(text), Err(error), "{text}");
        }
    }

    #[test]
    fn only_links_below_the_base_are_its_own() {
        let base = BaseAddress::parse("HTTPS://Shop.Example:443/acme/api/").unwrap();
        assert_eq!(base.to_string(), "https://shop.example/acme/api");
        let (path, query) =
            base.within("https://shop.example/acme/api/v1/x?page%5Bsize%5D=5&a=b+c#top").unwrap();
        assert_eq!(path, "/v1/x");
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(query, [pair("page[size]", "5"), pair("a", "b c")]);
        for elsewhere in
            ["/acme/api/v1/x", "http://shop.example/acme/api/v1", "https://shop.example/acme/apiary"]
        {
            assert_eq!(base.within(elsewhere), None, "{elsewhere}");
        }
    }

    #[test]
    fn names_and_values_are_encoded() {
        let base = BaseAddress::parse("http://a/api").unwrap();
        let query = [("filter[title]".to_owned(), "é &".to_owned())];
        assert_eq!(base.join("/v1/x", &query), "http://a/api/v1/x?filter%5Btitle%5D=%C3%A9%20%26");
    }
}
