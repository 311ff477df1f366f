//! The base URL of a server, and the links in its responses.

use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// The characters to percent-encode in a path segment or a query: all but the unreserved ones of RFC 3986.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

pub(crate) const HTTPS: &str = "https://";

/// Why a string is not a base URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it {0}")]
pub struct UrlError(&'static str);

/// The base URL of a server that follows the interface. All paths are appended to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerUrl {
    pub(crate) scheme: &'static str,
    /// Host and port in lower case, without the default port of the scheme.
    pub(crate) authority: String,
    path: String,
}

/// The decoded names and values of a query, in their order.
pub(crate) type Query = Vec<(String, String)>;

impl ServerUrl {
    /// Parses a base URL. Removes slashes at its end.
    ///
    /// # Errors
    /// [`UrlError`] for a string that is not a base URL.
    pub fn parse(text: &str) -> Result<Self, UrlError> {
        if text.contains(['?', '#']) {
            return Err(UrlError("must end with its path, without ? or #"));
        }
        let (mut url, _) = split_link(text)?;
        url.path.truncate(url.path.trim_end_matches('/').len());
        Ok(url)
    }

    /// The absolute URL of a path below this URL, with a query.
    pub(crate) fn join(&self, path: &str, query: &[(String, String)]) -> String {
        format!("{self}{}", path_and_query(path, query, escaped))
    }

    /// The path of a link below this URL, with its query; `None` when the link leads elsewhere.
    pub(crate) fn within(&self, link: &str) -> Option<(String, Query)> {
        let (found, query) = split_link(link).ok()?;
        let is_here = found.scheme == self.scheme && found.authority == self.authority;
        let below = found.path.strip_prefix(&self.path).filter(|below| is_here && below.starts_with('/'))?;
        Some((below.to_owned(), query))
    }
}

impl fmt::Display for ServerUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scheme, authority, path } = self;
        write!(f, "{scheme}{authority}{path}")
    }
}

/// Splits a URL into the part before the query, and the query. Drops a fragment.
fn split_link(text: &str) -> Result<(ServerUrl, Query), UrlError> {
    if text.chars().any(|found| !found.is_ascii_graphic()) {
        let rule = "contains a space or another character that must be percent-encoded";
        return Err(UrlError(rule));
    }
    let schemes = [("http://", ":80"), (HTTPS, ":443")];
    let begins_with =
        |scheme: &str| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    let scheme = schemes.into_iter().find(|(scheme, _)| begins_with(scheme));
    let (scheme, port) = scheme.ok_or(UrlError("must begin with http:// or https://"))?;
    let rest = text.get(scheme.len()..).and_then(|rest| rest.split('#').next()).unwrap_or_default();
    let (address, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (authority, path) = address.split_at(address.find('/').unwrap_or(address.len()));
    if authority.contains('@') {
        return Err(UrlError("must not contain a user or a password"));
    }
    let authority = authority.strip_suffix(port).unwrap_or(authority).to_ascii_lowercase();
    if authority.is_empty() || authority.starts_with(':') {
        return Err(UrlError("has no host"));
    }
    Ok((ServerUrl { scheme, authority, path: path.to_owned() }, read_query(query)))
}

/// The query of a link, even when the link leads to another server.
pub(crate) fn query_of(link: &str) -> Option<Query> {
    split_link(link).ok().map(|(_, query)| query)
}

fn read_query(text: &str) -> Query {
    let decoded = |text: &str| percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned();
    let pairs = text.split('&').filter(|pair| !pair.is_empty());
    let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    pairs.map(|(name, value)| (decoded(name), decoded(value))).collect()
}

/// The value of a parameter, when it is an integer.
pub(crate) fn integer_parameter(query: &[(String, String)], name: &str) -> Option<i64> {
    query.iter().rev().find(|(found, _)| found == name).and_then(|(_, value)| value.parse().ok())
}

/// A path with its query. `name` encodes the parameter names.
pub(crate) fn path_and_query(path: &str, query: &[(String, String)], name: fn(&str) -> String) -> String {
    let pairs = query.iter().map(|(key, value)| format!("{}={}", name(key), escaped(value)));
    let pairs: Vec<String> = pairs.collect();
    let mark = if pairs.is_empty() { "" } else { "?" };
    format!("{path}{mark}{}", pairs.join("&"))
}

/// Percent-encodes a string for a path segment or a query.
pub(crate) fn escaped(text: &str) -> String {
    utf8_percent_encode(text, ESCAPED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_base_url_is_refused() {
        for (text, error) in [
            ("shop.example/api", "must begin with http:// or https://"),
            ("ftp://shop.example/api", "must begin with http:// or https://"),
            ("https:///api", "has no host"),
            ("https://:8080/api", "has no host"),
            ("https://me:hush@shop.example/api", "must not contain a user or a password"),
            ("https://shop.example/api?x=1", "must end with its path, without ? or #"),
            (
                "https://shop.example/my api",
                "contains a space or another character that must be percent-encoded",
            ),
        ] {
            assert_eq!(ServerUrl::parse(text), Err(UrlError(error)), "{text}");
        }
    }

    #[test]
    fn within_finds_only_links_below_the_base_url() {
        let base = ServerUrl::parse("HTTPS://Shop.Example:443/acme/api/").unwrap();
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
    fn query_names_and_values_are_percent_encoded() {
        let base = ServerUrl::parse("http://a/api").unwrap();
        let query = [("filter[title]".to_owned(), "é &".to_owned())];
        assert_eq!(base.join("/v1/x", &query), "http://a/api/v1/x?filter%5Btitle%5D=%C3%A9%20%26");
    }
}
