//! Tenants: one business in one environment, behind one base URL.

use std::fmt;

use crate::id::{FormError, shown_as_str, texts};
use crate::{ClockOffset, TenantId, TenantSettings, Timestamp};

/// One isolated unit. It shares nothing with another tenant or environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tenant {
    pub id: TenantId,
    pub slug: Slug,
    pub environment: Environment,
    pub base_url: BaseUrl,
    pub name: String,
    /// The language of display texts when the client prefers no language of the tenant.
    pub locale: Locale,
    pub settings: TenantSettings,
    pub created_at: Timestamp,
    /// The virtual clock. Only a staging tenant may have one.
    pub clock: ClockOffset,
}

impl Tenant {
    /// The time of the tenant at a real time. They differ only with a virtual clock.
    pub fn now(&self, real: Timestamp) -> Timestamp {
        self.clock.from_real(real)
    }
}

texts! {
    /// A tenant's short name: 1 to 63 of `a-z`, `0-9` and `-`, not at either end.
    Slug;
    /// A language tag such as `en`, `de-AT` or `zh-Hant`.
    Locale;
}

impl Slug {
    /// # Errors
    /// [`FormError`] with the rule.
    pub fn new(text: &str) -> Result<Self, FormError> {
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let inner = !text.starts_with('-') && !text.ends_with('-');
        if (1..=63).contains(&text.len()) && text.bytes().all(allowed) && inner {
            Ok(Self(text.into()))
        } else {
            Err(FormError("a slug has 1 to 63 characters of a-z, 0-9 and -, and no - at either end"))
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Environment {
    Production,
    Staging,
}

impl Environment {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Production => "production",
            Self::Staging => "staging",
        }
    }

    /// # Errors
    /// [`FormError`] for any other text.
    pub fn parse(text: &str) -> Result<Self, FormError> {
        match text {
            "production" => Ok(Self::Production),
            "staging" => Ok(Self::Staging),
            _ => Err(FormError("an environment is production or staging")),
        }
    }
}

shown_as_str!(Environment);

/// The name of a tenant for operators: `SLUG` (production) or `SLUG/ENVIRONMENT`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TenantName {
    pub slug: Slug,
    pub environment: Environment,
}

impl TenantName {
    /// Reads `SLUG` or `SLUG/ENVIRONMENT`.
    ///
    /// # Errors
    /// [`FormError`] with the broken rule.
    pub fn parse(text: &str) -> Result<Self, FormError> {
        let (slug, environment) = text.split_once('/').unwrap_or((text, "production"));
        Ok(Self { slug: Slug::new(slug)?, environment: Environment::parse(environment)? })
    }
}

impl fmt::Display for TenantName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.slug, self.environment)
    }
}

/// The base URL of a tenant: `http(s)://authority[/prefix]/api`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BaseUrl {
    text: Box<str>,
    authority_at: usize,
    path_at: usize,
}

const BASE_URL_RULE: FormError = FormError(
    "a base URL is http://HOST[:PORT][/PATH]/api or the same with https, in lower case, \
     with /api once and at the end, and without user, query, fragment or %; \
     port 80 goes with http alone and port 443 with https alone; it has at most 1000 characters",
);

/// The longest base URL, in bytes, all of which are ASCII. It is a unique key, and an index row of PostgreSQL has some 2,700
/// bytes.
const MAX_BASE_URL_BYTES: usize = 1_000;

/// The server ignores a default port of the request, for either scheme, because a proxy may change the scheme. So a base URL
/// with such a port would never match.
const DEFAULT_PORTS: [&str; 2] = [":80", ":443"];

impl BaseUrl {
    /// Takes an absolute URL whose path ends with its only `/api` segment. It drops a default port and a trailing slash.
    ///
    /// # Errors
    /// [`FormError`] with the rule.
    pub fn parse(text: &str) -> Result<Self, FormError> {
        let text = text.strip_suffix('/').unwrap_or(text);
        let (scheme, rest) = text.split_once("://").ok_or(BASE_URL_RULE)?;
        let default_port = match scheme {
            "http" => ":80",
            "https" => ":443",
            _ => return Err(BASE_URL_RULE),
        };
        let (authority, path) = rest.split_at(rest.find('/').ok_or(BASE_URL_RULE)?);
        let authority = authority.strip_suffix(default_port).unwrap_or(authority);
        let keeps_default_port = DEFAULT_PORTS.iter().any(|port| authority.ends_with(port));
        let is_too_long = text.len() > MAX_BASE_URL_BYTES;
        if is_too_long || keeps_default_port || !is_authority(authority) || !is_base_path(path) {
            return Err(BASE_URL_RULE);
        }
        let authority_at = scheme.len() + "://".len();
        Ok(Self {
            text: format!("{scheme}://{authority}{path}").into(),
            authority_at,
            path_at: authority_at + authority.len(),
        })
    }

    /// The whole URL, without a trailing slash.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Host, and port unless it is the default of the scheme.
    pub fn authority(&self) -> &str {
        &self.text[self.authority_at..self.path_at]
    }

    /// The scheme and the authority, such as `https://rewards.example.com`.
    pub fn origin(&self) -> &str {
        &self.text[..self.path_at]
    }

    /// The path, from its first slash to `/api`.
    pub fn path(&self) -> &str {
        &self.text[self.path_at..]
    }

    /// Whether one request could match both base URLs. The scheme does not separate them.
    pub fn shares_address(&self, other: &Self) -> bool {
        self.authority() == other.authority() && self.path() == other.path()
    }
}

shown_as_str!(BaseUrl);

fn is_authority(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-._:[]".contains(&byte);
    !text.is_empty() && !text.starts_with(':') && text.bytes().all(allowed)
}

fn is_base_path(path: &str) -> bool {
    let unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let mut segments = path.split('/').skip(1).peekable();
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        if (segment == "api") != last || segment.is_empty() || !segment.bytes().all(unreserved) {
            return false;
        }
    }
    true
}

impl Locale {
    /// The longest tag, in characters: the longest useful one of RFC 5646.
    pub const MAX_CHARS: usize = 35;

    /// Takes a BCP 47 tag: letters first, then parts of 1 to 8 letters or digits, joined by `-`.
    ///
    /// # Errors
    /// [`FormError`] with the rule.
    pub fn new(text: &str) -> Result<Self, FormError> {
        let mut parts = text.split('-');
        let language = parts.next().unwrap_or_default();
        let is_language =
            (2..=3).contains(&language.len()) && language.bytes().all(|b| b.is_ascii_lowercase());
        let is_part =
            |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric());
        if is_language && text.len() <= Self::MAX_CHARS && parts.all(is_part) {
            Ok(Self(text.into()))
        } else {
            Err(FormError("a locale is a language tag such as en, de-AT or zh-Hant"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_url_knows_its_parts() {
        let url = BaseUrl::parse("http://localhost:8080/acme/api/").unwrap();
        assert_eq!(url.as_str(), "http://localhost:8080/acme/api");
        assert_eq!((url.authority(), url.path()), ("localhost:8080", "/acme/api"));
        let url = BaseUrl::parse("https://acme.example:443/api").unwrap();
        assert_eq!((url.authority(), url.path()), ("acme.example", "/api"));
    }

    #[test]
    fn a_base_url_ends_with_its_only_api_segment() {
        for bad in [
            "acme.example/api",
            "ftp://acme.example/api",
            "https://acme.example",
            "https:///api",
            "https://acme.example/apis",
            "https://acme.example/api/acme/api",
            "https://acme.example//api",
            "https://ACME.example/api",
            "https://me@acme.example/api",
            "https://acme.example/api?x=1",
            "https://acme.example/%61/api",
            "http://acme.example:443/api",
            "https://acme.example:80/api",
            "http://acme.example:80:80/api",
        ] {
            assert_eq!(BaseUrl::parse(bad), Err(BASE_URL_RULE), "{bad}");
        }
    }

    #[test]
    fn a_base_url_fits_into_an_index() {
        let of_length = |bytes: usize| format!("https://acme.example/{}/api", "a".repeat(bytes - 25));
        assert_eq!(BaseUrl::parse(&of_length(1_000)).unwrap().as_str().len(), 1_000);
        assert_eq!(BaseUrl::parse(&of_length(1_001)), Err(BASE_URL_RULE));
    }

    #[test]
    fn a_scheme_does_not_make_another_address() {
        let url = |text| BaseUrl::parse(text).unwrap();
        let shop = url("http://shop.example/api");
        assert!(shop.shares_address(&url("https://shop.example:443/api")));
        for other in ["http://shop.example:8080/api", "http://shop.example/a/api", "http://shop.test/api"] {
            assert!(!shop.shares_address(&url(other)), "{other}");
        }
    }

    #[test]
    fn a_tenant_is_named_by_slug_and_environment() {
        assert_eq!(TenantName::parse("acme").unwrap().to_string(), "acme/production");
        assert_eq!(TenantName::parse("acme/staging").unwrap().environment, Environment::Staging);
        for bad in ["", "-a", "A", "acme/test", "acme/"] {
            assert!(TenantName::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_locale_is_a_language_tag() {
        assert!(Locale::new("zh-Hant-TW").is_ok());
        for bad in ["", "e", "EN", "en_US", "en-", "de-AT\n"] {
            assert!(Locale::new(bad).is_err(), "{bad}");
        }
    }
}
