//! The URL of an issuer, and the URLs to which requests may go.

use std::fmt;

use url::{Host, Url};

const RULE: &str = "must be an https URL without user, query and fragment, such as https://login.example.com; http is \
                    for addresses of this machine only";

/// The URL that names the issuer. It is compared as a string, so it is kept as it was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issuer {
    text: String,
    /// It is on this machine, without TLS.
    is_local: bool,
}

impl Issuer {
    /// Reads the URL of the configuration.
    ///
    /// # Errors
    /// The rule that it breaks.
    pub fn parse(text: &str) -> Result<Self, String> {
        let url = Url::parse(text).map_err(|_| RULE)?;
        let is_local = url.scheme() == "http" && is_loopback(&url);
        let is_safe = url.scheme() == "https" || is_local;
        if !is_safe || !is_bare(&url) || url.query().is_some() || text.len() > 255 {
            return Err(RULE.to_owned());
        }
        Ok(Self { text: text.to_owned(), is_local })
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) fn is_local(&self) -> bool {
        self.is_local
    }

    /// The URL of the metadata (OpenID Connect Discovery 1.0, section 4.1).
    pub(crate) fn discovery_url(&self) -> String {
        format!("{}/.well-known/openid-configuration", self.text.trim_end_matches('/'))
    }

    /// An endpoint from the metadata. `None` unless the browser or this client may go there: over TLS, or on this machine for an
    /// issuer that is there too.
    pub(crate) fn endpoint(&self, text: &str) -> Option<Url> {
        let url = Url::parse(text).ok()?;
        let is_safe = url.scheme() == "https" || self.is_local && url.scheme() == "http" && is_loopback(&url);
        (is_safe && is_bare(&url)).then_some(url)
    }
}

impl fmt::Display for Issuer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

fn is_bare(url: &Url) -> bool {
    url.username().is_empty() && url.password().is_none() && url.fragment().is_none() && url.has_host()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_issuer_is_an_https_url() {
        for good in [
            "https://login.example.com",
            "https://login.example.com/realms/shop/",
            "http://127.0.0.1:8081",
            "http://localhost:1/a",
            "http://[::1]:1",
        ] {
            assert_eq!(Issuer::parse(good).unwrap().as_str(), good);
        }
        for bad in [
            "",
            "login.example.com",
            "http://login.example.com",
            "http://localhost.example.com",
            "https://me@login.example.com",
            "https://login.example.com?a=b",
            "https://login.example.com/#a",
            "file:///etc/passwd",
        ] {
            assert!(Issuer::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_metadata_is_below_the_issuer() {
        for issuer in ["https://login.example.com/a", "https://login.example.com/a/"] {
            let url = Issuer::parse(issuer).unwrap().discovery_url();
            assert_eq!(url, "https://login.example.com/a/.well-known/openid-configuration");
        }
    }

    #[test]
    fn an_endpoint_of_an_issuer_with_tls_has_tls() {
        let far = Issuer::parse("https://login.example.com").unwrap();
        assert!(far.endpoint("https://token.example.org/t?x=1").is_some());
        for bad in [
            "http://login.example.com/t",
            "http://127.0.0.1/t",
            "https://a@b.example/t",
            "/t",
            "https://b.example/#t",
        ] {
            assert_eq!(far.endpoint(bad), None, "{bad}");
        }
        let near = Issuer::parse("http://127.0.0.1:8081").unwrap();
        assert!(near.endpoint("http://localhost:1/t").is_some());
        assert_eq!(near.endpoint("http://login.example.com/t"), None);
    }
}
