//! The URL of a receiver, with stricter rules than those of browsers. The `url` crate gives one host for each way to write it, so
//! `0x7f.1` is the address 127.0.0.1 here and not a name.

use std::net::IpAddr;

use http::Uri;
use http::header::HeaderValue;
use pointbook_domain::rules;
use pointbook_domain::webhook::MAX_WEBHOOK_URL_BYTES;
use url::{Host, Position, Url};

const HTTPS: &str = "https://";
const HTTP: &str = "http://";

/// Ports below belong to other services, except those of http and https.
const PORT_MIN: u16 = 1_024;

rules! {
    /// What is wrong with the string of a URL.
    #[derive(Copy)]
    pub enum UrlError;

    TooLong "too-long" "the URL of a webhook must have at most {MAX_WEBHOOK_URL_BYTES} bytes";
    Scheme "scheme" "the URL of a webhook must begin with `https://`";
    Characters "characters" "the URL of a webhook must not contain spaces, control characters or backslashes";
    UserInfo "user-info" "the URL of a webhook must not contain a user name or a password";
    Fragment "fragment" "the URL of a webhook must not contain a fragment";
    Port "port" "the port of a webhook's URL must be the one of its scheme, or from {PORT_MIN} to 65535";
    Host "host" "the URL of a webhook must contain a host name without a full stop at its end, or an IP address";
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    Http,
    Https,
}

#[derive(Debug, Clone)]
pub(crate) struct ReceiverUrl {
    pub(crate) scheme: Scheme,
    /// A name in ASCII, or an address without brackets.
    pub(crate) host: String,
    /// The host when it is an address, which no resolver must see.
    pub(crate) address: Option<IpAddr>,
    pub(crate) port: u16,
    /// The value of the header `host`.
    pub(crate) authority: HeaderValue,
    /// Path and query.
    pub(crate) target: Uri,
}

impl ReceiverUrl {
    pub(crate) fn parse(text: &str, permits_http: bool) -> Result<Self, UrlError> {
        let scheme = examine(text, permits_http)?;
        let url = Url::parse(text).map_err(|_| UrlError::Host)?;
        let (host, address) = host_of(&url)?;
        let target = url[Position::BeforePath..Position::AfterQuery].parse();
        let authority = &url[Position::BeforeHost..Position::AfterPort];
        Ok(Self {
            scheme,
            host,
            address,
            port: port_of(&url, scheme)?,
            authority: HeaderValue::from_str(authority).map_err(|_| UrlError::Host)?,
            target: target.map_err(|_| UrlError::Characters)?,
        })
    }
}

/// Refuses what the parser would repair silently.
fn examine(text: &str, permits_http: bool) -> Result<Scheme, UrlError> {
    if text.len() > MAX_WEBHOOK_URL_BYTES {
        return Err(UrlError::TooLong);
    }
    if text.chars().any(|letter| letter.is_control() || letter.is_whitespace() || letter == '\\') {
        return Err(UrlError::Characters);
    }
    let plain = || text.strip_prefix(HTTP).filter(|_| permits_http).map(|rest| (Scheme::Http, rest));
    let https = text.strip_prefix(HTTPS).map(|rest| (Scheme::Https, rest));
    let (scheme, rest) = https.or_else(plain).ok_or(UrlError::Scheme)?;
    if rest.contains('#') {
        return Err(UrlError::Fragment);
    }
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    match authority {
        "" => Err(UrlError::Host),
        _ if authority.contains('@') => Err(UrlError::UserInfo),
        _ => Ok(scheme),
    }
}

fn host_of(url: &Url) -> Result<(String, Option<IpAddr>), UrlError> {
    match url.host().ok_or(UrlError::Host)? {
        Host::Domain(name) if name.ends_with('.') => Err(UrlError::Host),
        Host::Domain(name) => Ok((name.to_owned(), None)),
        Host::Ipv4(address) => Ok((address.to_string(), Some(IpAddr::V4(address)))),
        Host::Ipv6(address) => Ok((address.to_string(), Some(IpAddr::V6(address)))),
    }
}

fn port_of(url: &Url, scheme: Scheme) -> Result<u16, UrlError> {
    let default = match scheme {
        Scheme::Http => 80,
        Scheme::Https => 443,
    };
    let port = url.port().unwrap_or(default);
    if port == default || port >= PORT_MIN { Ok(port) } else { Err(UrlError::Port) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> Option<UrlError> {
        ReceiverUrl::parse(text, false).err()
    }

    #[test]
    fn parts_of_a_url_are_read() {
        let url = ReceiverUrl::parse("https://Hooks.Example:8443/a%20b?c=d&e", false).unwrap();
        assert_eq!((url.scheme, url.host.as_str(), url.port), (Scheme::Https, "hooks.example", 8443));
        assert_eq!((url.authority.to_str().unwrap(), url.address), ("hooks.example:8443", None));
        assert_eq!(url.target.to_string(), "/a%20b?c=d&e");
        let url = ReceiverUrl::parse("https://[2606:4700::1111]", false).unwrap();
        assert_eq!((url.host.as_str(), url.port), ("2606:4700::1111", 443));
        assert_eq!((url.authority.to_str().unwrap(), url.target.path()), ("[2606:4700::1111]", "/"));
        assert_eq!(url.address, "2606:4700::1111".parse().ok());
    }

    #[test]
    fn name_becomes_ascii() {
        let url = ReceiverUrl::parse("https://bücher.example/ä", false).unwrap();
        assert_eq!((url.host.as_str(), url.target.path()), ("xn--bcher-kva.example", "/%C3%A4"));
    }

    #[test]
    fn http_is_read_where_it_is_permitted() {
        let url = ReceiverUrl::parse("http://127.0.0.1:8080/", true).unwrap();
        assert_eq!((url.scheme, url.port), (Scheme::Http, 8080));
        assert_eq!(error("http://127.0.0.1:8080/"), Some(UrlError::Scheme));
    }

    #[test]
    fn other_schemes_are_refused() {
        for text in [
            "",
            "a",
            "//a.example",
            "ftp://a.example",
            "file:///etc/passwd",
            "HTTPS://a.example",
            "https:a.example",
        ] {
            assert_eq!(error(text), Some(UrlError::Scheme), "{text}");
        }
    }

    #[test]
    fn what_a_parser_would_repair_is_refused() {
        for (text, expected) in [
            (" https://a.example", UrlError::Characters),
            ("https://a.example\n", UrlError::Characters),
            ("https://a.exa\tmple", UrlError::Characters),
            ("https://a.example\\@b.example", UrlError::Characters),
            ("https://a.example/\u{a0}", UrlError::Characters),
            ("https:///a.example", UrlError::Host),
            ("https://", UrlError::Host),
            ("https://?a", UrlError::Host),
            ("https://a.example.", UrlError::Host),
            ("https://[fe80::1%25eth0]/", UrlError::Host),
            ("https://[::1", UrlError::Host),
            ("https://256.1.1.1/", UrlError::Host),
            ("https://1.2.3.4.5/", UrlError::Host),
            ("https://a b.example/", UrlError::Characters),
            ("https://a<b.example/", UrlError::Host),
            ("https://user@a.example/", UrlError::UserInfo),
            ("https://@a.example/", UrlError::UserInfo),
            ("https://:@a.example?b", UrlError::UserInfo),
            ("https://a.example/#", UrlError::Fragment),
            ("https://a.example#@b.example", UrlError::Fragment),
        ] {
            assert_eq!(error(text), Some(expected), "{text:?}");
        }
        assert_eq!(error(&format!("https://a.example/{}", "a".repeat(1_983))), Some(UrlError::TooLong));
        assert_eq!(error(&format!("https://a.example/{}", "a".repeat(1_982))), None);
    }

    #[test]
    fn ports_of_other_services_are_refused() {
        for port in ["0", "22", "25", "80", "442", "1023"] {
            assert_eq!(error(&format!("https://a.example:{port}/")), Some(UrlError::Port), "{port}");
        }
        for port in ["65536", "-1", "a"] {
            assert_eq!(error(&format!("https://a.example:{port}/")), Some(UrlError::Host), "{port}");
        }
        for port in ["", "443", "1024", "65535"] {
            assert_eq!(error(&format!("https://a.example:{port}/")), None, "{port}");
        }
    }

    /// One address, however it is written, so one check refuses all of them.
    #[test]
    fn each_form_of_an_address_is_that_address() {
        for host in [
            "127.0.0.1",
            "127.1",
            "0177.0.0.1",
            "0x7f.1",
            "2130706433",
            "0x7f000001",
            "127.0.0.1.",
            "①②⑦.0.0.1",
            "%31%32%37.0.0.1",
        ] {
            let url = ReceiverUrl::parse(&format!("https://{host}/"), false).unwrap();
            assert_eq!(url.address, Some(IpAddr::from([127, 0, 0, 1])), "{host}");
        }
    }
}
