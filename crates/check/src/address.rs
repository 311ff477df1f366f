//! The base address of a server, and the links in its responses.

use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// What a segment of a path and a query escape: all but the unreserved characters of RFC 3986.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

pub(crate) const HTTPS: &str = "https://";

/// Why a string is no base address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it {0}")]
pub struct AddressError(&'static str);

/// The base address of a server of the interface; all paths are appended to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseAddress {
    pub(crate) scheme: &'static str,
    /// Host and port in small letters, without the scheme's own port.
    pub(crate) authority: String,
    path: String,
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
            return Err(AddressError("must end with its path, without ? or #"));
        }
        let (mut address, _) = split_link(text)?;
        address.path.truncate(address.path.trim_end_matches('/').len());
        Ok(address)
    }

    /// The whole address of a path below, with a query.
    pub(crate) fn join(&self, path: &str, query: &[(String, String)]) -> String {
        format!("{self}{}", path_and_query(path, query, escaped))
    }

    /// The path below this address to which a link leads, with its query.
    pub(crate) fn within(&self, link: &str) -> Option<(String, Query)> {
        let (found, query) = split_link(link).ok()?;
        let is_here = found.scheme == self.scheme && found.authority == self.authority;
        let below = found.path.strip_prefix(&self.path).filter(|below| is_here && below.starts_with('/'))?;
        Some((below.to_owned(), query))
    }
}

impl fmt::Display for BaseAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scheme, authority, path } = self;
        write!(f, "{scheme}{authority}{path}")
    }
}

/// An address without its query, and the query; a fragment is left out.
fn split_link(text: &str) -> Result<(BaseAddress, Query), AddressError> {
    if text.chars().any(|found| !found.is_ascii_graphic()) {
        let rule = "holds a blank or another character that must be percent-encoded";
        return Err(AddressError(rule));
    }
    let schemes = [("http://", ":80"), (HTTPS, ":443")];
    let begins_with =
        |scheme: &str| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    let scheme = schemes.into_iter().find(|(scheme, _)| begins_with(scheme));
    let (scheme, port) = scheme.ok_or(AddressError("must begin with http:// or https://"))?;
    let rest = text.get(scheme.len()..).and_then(|rest| rest.split('#').next()).unwrap_or_default();
    let (address, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (authority, path) = address.split_at(address.find('/').unwrap_or(address.len()));
    if authority.contains('@') {
        return Err(AddressError("must not hold a user or a password"));
    }
    let authority = authority.strip_suffix(port).unwrap_or(authority).to_ascii_lowercase();
    if authority.is_empty() || authority.starts_with(':') {
        return Err(AddressError("names no host"));
    }
    Ok((BaseAddress { scheme, authority, path: path.to_owned() }, read_query(query)))
}

/// The query of a link, also of one that leads to another server.
pub(crate) fn query_of(link: &str) -> Option<Query> {
    split_link(link).ok().map(|(_, query)| query)
}

fn read_query(text: &str) -> Query {
    let decoded = |text: &str| percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned();
    let pairs = text.split('&').filter(|pair| !pair.is_empty());
    let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    pairs.map(|(name, value)| (decoded(name), decoded(value))).collect()
}

/// The number of a parameter, where it has one.
pub(crate) fn asked(query: &[(String, String)], name: &str) -> Option<i64> {
    query.iter().rev().find(|(found, _)| found == name).and_then(|(_, value)| value.parse().ok())
}

/// A path with its query, whose names `name` writes.
pub(crate) fn path_and_query(path: &str, query: &[(String, String)], name: fn(&str) -> String) -> String {
    let pairs = query.iter().map(|(key, value)| format!("{}={}", name(key), escaped(value)));
    let pairs: Vec<String> = pairs.collect();
    let mark = if pairs.is_empty() { "" } else { "?" };
    format!("{path}{mark}{}", pairs.join("&"))
}

/// A string as it stands in a segment of a path, or in a query.
pub(crate) fn escaped(text: &str) -> String {
    utf8_percent_encode(text, ESCAPED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_base_address_is_refused() {
        for (text, error) in [
            ("shop.example/api", "must begin with http:// or https://"),
            ("ftp://shop.example/api", "must begin with http:// or https://"),
            ("https:///api", "names no host"),
            ("https://:8080/api", "names no host"),
            ("https://me:hush@shop.example/api", "must not hold a user or a password"),
            ("https://shop.example/api?x=1", "must end with its path, without ? or #"),
            (
                "https://shop.example/my api",
                "holds a blank or another character that must be percent-encoded",
            ),
        ] {
            assert_eq!(BaseAddress::parse(text), Err(AddressError(error)), "{text}");
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
