//! The host that a request names, and its path below the base of a tenant.

use std::borrow::Cow;

use http::header::HOST;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Uri, Version};

use crate::only_header::{Repeated, only_header};

/// A request has no `Host`, several, or one that is no host: 400 (RFC 9112, 3.2).
#[derive(Debug, PartialEq, Eq)]
pub(super) struct BadHost;

/// The authority that the client asked: that of an absolute URI, or else the `Host` header, which must be there
/// and be valid all the same. Only HTTP/1.0 may leave it out.
pub(super) fn authority<'r>(
    version: Version,
    uri: &'r Uri,
    headers: &'r HeaderMap,
) -> Result<&'r str, BadHost> {
    let host = match only_header(headers, &HOST).map_err(|Repeated| BadHost)? {
        Some(host) => valid_host(host).ok_or(BadHost)?,
        None if version == Version::HTTP_10 => "",
        None => return Err(BadHost),
    };
    Ok(match uri.authority() {
        Some(authority) => authority.as_str().rsplit('@').next().unwrap_or_default(),
        None => host,
    })
}

/// Whether a request names a host as [`authority`] asks for it.
pub(crate) fn has_valid_host(parts: &Parts) -> bool {
    authority(parts.version, &parts.uri, &parts.headers).is_ok()
}

/// The text of a `Host` header: a name or an address, perhaps with a port, perhaps nothing (RFC 3986, 3.2.2).
fn valid_host(value: &HeaderValue) -> Option<&str> {
    let text = value.to_str().ok()?;
    let behind = match text.as_bytes() {
        [b'[', rest @ ..] => behind_address(rest)?,
        name => split(name, is_of_name).1,
    };
    let is_port = |port: &[u8]| port.iter().all(u8::is_ascii_digit);
    (behind.is_empty() || behind.strip_prefix(b":").is_some_and(is_port)).then_some(text)
}

/// What follows an address and its closing bracket.
fn behind_address(rest: &[u8]) -> Option<&[u8]> {
    let (address, behind) = split(rest, |byte| is_of_name(byte) || byte == b':');
    behind.strip_prefix(b"]").filter(|_| !address.is_empty())
}

/// The first bytes that are all of one kind, and what is behind them.
fn split(text: &[u8], is_of_kind: impl Fn(u8) -> bool) -> (&[u8], &[u8]) {
    text.split_at(text.iter().position(|&byte| !is_of_kind(byte)).unwrap_or(text.len()))
}

/// Whether it is a byte of a registered name. What follows a percent sign is not looked at: no tenant has such a name.
fn is_of_name(byte: u8) -> bool {
    IS_OF_NAME[usize::from(byte)]
}

/// A table, because every request has a host.
const IS_OF_NAME: [bool; 256] = {
    let mut is_of_name = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        let is_mark = matches!(
            byte,
            b'-' | b'.'
                | b'_'
                | b'~'
                | b'%'
                | b'!'
                | b'$'
                | b'&'
                | b'\''
                | b'('
                | b')'
                | b'*'
                | b'+'
                | b','
                | b';'
                | b'='
        );
        is_of_name[byte as usize] = byte.is_ascii_alphanumeric() || is_mark;
        byte += 1;
    }
    is_of_name
};

/// Lower case, and without a default port, as base URLs are kept. The scheme is not known here (a
/// proxy may have ended TLS), so both default ports go.
pub(super) fn normalised(authority: &str) -> Cow<'_, str> {
    let host = authority.strip_suffix(":80").or_else(|| authority.strip_suffix(":443")).unwrap_or(authority);
    if host.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(host.to_ascii_lowercase())
    } else {
        Cow::Borrowed(host)
    }
}

/// What is asked of a tenant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Target<'u> {
    /// Below the base, without a trailing slash, still encoded.
    pub(super) path: &'u str,
    /// Behind the question mark.
    pub(super) query: Option<&'u str>,
}

impl<'u> Target<'u> {
    /// What a URI asks of the tenant whose base is so many bytes long.
    pub(super) fn of(uri: &'u Uri, base_bytes: usize) -> Self {
        let path = uri.path().get(base_bytes..).unwrap_or_default();
        Self { path: path.strip_suffix('/').unwrap_or(path), query: uri.query() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(version: Version, uri: &str, hosts: &[&'static str]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for host in hosts {
            headers.append(HOST, HeaderValue::from_static(host));
        }
        let uri = uri.parse().unwrap();
        authority(version, &uri, &headers).ok().map(|authority| normalised(authority).into_owned())
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
}
