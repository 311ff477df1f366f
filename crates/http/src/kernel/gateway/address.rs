//! The host of a request, and other headers that may appear only once.

use std::borrow::Cow;

use http::header::HOST;
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Uri, Version};

/// The header is repeated.
#[derive(Debug, PartialEq, Eq)]
pub struct Repeated;

/// The value of a header that may appear once.
///
/// # Errors
/// [`Repeated`] when it appears several times.
pub fn only_header<'h>(
    headers: &'h HeaderMap,
    name: &HeaderName,
) -> Result<Option<&'h HeaderValue>, Repeated> {
    let first = headers.get(name);
    // Most requests repeat no header at all, which is fast to see.
    let is_single = headers.len() == headers.keys_len() || headers.get_all(name).iter().nth(1).is_none();
    if is_single { Ok(first) } else { Err(Repeated) }
}

/// The authority of the request: from an absolute URI, otherwise from the `Host` header. The header must be present and valid in
/// both cases; only HTTP/1.0 may omit it. `None` is a 400 (RFC 9112, 3.2).
pub(super) fn authority<'r>(version: Version, uri: &'r Uri, headers: &'r HeaderMap) -> Option<&'r str> {
    let host = match only_header(headers, &HOST).ok()? {
        Some(host) => valid_host(host)?,
        None if version == Version::HTTP_10 => "",
        None => return None,
    };
    Some(match uri.authority() {
        Some(authority) => authority.as_str().rsplit('@').next().unwrap_or_default(),
        None => host,
    })
}

/// Whether a request has one valid host.
pub fn has_valid_host(parts: &Parts) -> bool {
    authority(parts.version, &parts.uri, &parts.headers).is_some()
}

/// A `Host` header: a name or an address, with or without a port, or empty (RFC 3986, 3.2.2).
fn valid_host(value: &HeaderValue) -> Option<&str> {
    let text = value.to_str().ok()?;
    let port = match text.strip_prefix('[') {
        Some(rest) => {
            let (address, port) = rest.split_once(']')?;
            let is_address =
                !address.is_empty() && address.bytes().all(|byte| is_of_name(byte) || byte == b':');
            is_address.then_some(port)?
        }
        None => text.trim_start_matches(|c: char| u8::try_from(c).is_ok_and(is_of_name)),
    };
    let is_port = port.strip_prefix(':').unwrap_or(port).bytes().all(|byte| byte.is_ascii_digit());
    (port.is_empty() || port.starts_with(':') && is_port).then_some(text)
}

/// Whether it is a byte of a registered name. Text after a percent sign is not checked: no tenant has such a name.
fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~%!$&'()*+,;=".contains(&byte)
}

/// Lower case and without a default port, like stored base URLs. The scheme is unknown (a proxy may have ended TLS), so both
/// default ports are removed.
pub(super) fn normalised(authority: &str) -> Cow<'_, str> {
    let host = authority.strip_suffix(":80").or_else(|| authority.strip_suffix(":443")).unwrap_or(authority);
    if host.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(host.to_ascii_lowercase())
    } else {
        Cow::Borrowed(host)
    }
}

/// The authority of an admitted request, in lower case and without a default port.
pub fn requested_authority(uri: &Uri, headers: &HeaderMap) -> Option<String> {
    authority(Version::HTTP_11, uri, headers).map(|authority| normalised(authority).into_owned())
}

#[cfg(test)]
mod tests {
    use http::header::ACCEPT;

    use super::*;

    fn asked(version: Version, uri: &str, hosts: &[&'static str]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for host in hosts {
            headers.append(HOST, HeaderValue::from_static(host));
        }
        let uri = uri.parse().unwrap();
        authority(version, &uri, &headers).map(|authority| normalised(authority).into_owned())
    }

    fn at(host: &'static str) -> Option<String> {
        asked(Version::HTTP_11, "/api", &[host])
    }

    #[test]
    fn the_authority_is_lower_case_without_a_default_port() {
        assert_eq!(at("ACME.example").as_deref(), Some("acme.example"));
        assert_eq!(at("acme.example:443").as_deref(), Some("acme.example"));
        assert_eq!(at("acme.example:80").as_deref(), Some("acme.example"));
        assert_eq!(at("localhost:8080").as_deref(), Some("localhost:8080"));
    }

    #[test]
    fn an_absolute_uri_wins_over_the_host_header_which_must_be_there() {
        let absolute = |hosts| asked(Version::HTTP_11, "http://me@Acme.example:80/api", hosts);
        assert_eq!(absolute(&["other"]).as_deref(), Some("acme.example"));
        assert_eq!((absolute(&[]), absolute(&["a b"])), (None, None));
    }

    #[test]
    fn a_host_comes_once_and_http_1_0_may_do_without() {
        assert_eq!(asked(Version::HTTP_11, "/api", &[]), None);
        assert_eq!(asked(Version::HTTP_10, "/api", &[]).as_deref(), Some(""));
        for version in [Version::HTTP_10, Version::HTTP_11] {
            assert_eq!(asked(version, "/api", &["a", "a"]), None);
        }
    }

    #[test]
    fn a_host_is_a_name_or_an_address_with_or_without_a_port() {
        for good in ["", "a", "a.example:", "a:80", "127.0.0.1:8080", "[::1]", "[::1]:80", "a_b", "x%20y"] {
            assert_eq!(at(good).as_deref(), Some(good.strip_suffix(":80").unwrap_or(good)), "{good}");
        }
        for bad in
            ["a b", "a/b", "me@a", "a:b", "a:80:80", "::1", "[::1", "[]", "[::1]x", "a\t", "a?b", "\"a\""]
        {
            assert_eq!(at(bad), None, "{bad}");
        }
    }

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
