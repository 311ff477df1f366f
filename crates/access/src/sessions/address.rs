//! Where the pages of a tenant are.

use std::fmt;

use pointbook_domain::{BaseUrl, Environment, Tenant, TenantName};

/// The pages of a tenant for one kind of people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PagesOf {
    /// For members.
    Shop,
    /// For operators.
    Console,
}

impl PagesOf {
    /// The path that all pages of this kind begin with.
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Shop => "/shop/",
            Self::Console => "/console/",
        }
    }
}

/// The origin at which browsers reach the console, when it has its own listener: scheme, host and port. By default, the console of a
/// tenant is at the origin of the base URL.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConsoleOrigin(Option<Box<str>>);

impl ConsoleOrigin {
    /// An origin for the consoles of all tenants. `None` when the text is no origin.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.strip_suffix('/').unwrap_or(text);
        // The rules for the origin of a base URL hold.
        let url = BaseUrl::parse(&format!("{text}/api")).ok()?;
        (url.path() == "/api").then(|| Self(Some(url.origin().into())))
    }

    /// Whether the console has another origin than the base URLs.
    pub fn is_separate(&self) -> bool {
        self.0.is_some()
    }

    /// The origin of the console of a tenant.
    pub fn of<'o>(&'o self, tenant: &'o Tenant) -> &'o str {
        self.0.as_deref().unwrap_or_else(|| tenant.base_url.origin())
    }

    /// Whether browsers reach the console of a tenant by TLS.
    pub fn is_secure(&self, tenant: &Tenant) -> bool {
        self.of(tenant).starts_with("https://")
    }
}

/// Empty for the origins of the base URLs.
impl fmt::Display for ConsoleOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_deref().unwrap_or_default())
    }
}

/// The path of the pages of a tenant: `/shop/acme` in production, `/shop/acme.staging` in staging.
pub fn pages_path(place: PagesOf, name: &TenantName) -> String {
    format!("{}{}", place.prefix(), segment(name))
}

fn segment(name: &TenantName) -> String {
    let TenantName { slug, environment } = name;
    match environment {
        Environment::Production => slug.to_string(),
        Environment::Staging => format!("{slug}.{environment}"),
    }
}

/// The tenant of the segment after the prefix. `None` when no tenant can have it.
pub fn tenant_of_segment(text: &str) -> Option<TenantName> {
    let name = text.replacen('.', "/", 1);
    TenantName::parse(&name).ok().filter(|name| segment(name) == text)
}

/// The name of the parameter with the text of a link. Logs have paths and no parameters.
pub const LINK_PARAMETER: &str = "link";

/// The URL of a one-time link to pages at this origin.
pub fn link_url(origin: &str, place: PagesOf, tenant: &Tenant, text: &str) -> String {
    let name = TenantName { slug: tenant.slug.clone(), environment: tenant.environment };
    format!("{origin}{}/sign-in?{LINK_PARAMETER}={text}", pages_path(place, &name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_has_no_path() {
        for (text, origin) in [
            ("https://console.example.com", "https://console.example.com"),
            ("https://console.example.com:443/", "https://console.example.com"),
            ("http://127.0.0.1:8081", "http://127.0.0.1:8081"),
            ("http://[::1]:8081", "http://[::1]:8081"),
        ] {
            assert_eq!(ConsoleOrigin::parse(text), Some(ConsoleOrigin(Some(origin.into()))), "{text}");
        }
        for bad in [
            "",
            "off",
            "console.example.com",
            "https://",
            "https://a/b",
            "https://a?b",
            "ftp://a",
            "https://me@a",
        ] {
            assert_eq!(ConsoleOrigin::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_tenant_is_found_at_its_path_only() {
        for name in ["acme/production", "acme/staging"] {
            let name = TenantName::parse(name).unwrap();
            for place in [PagesOf::Shop, PagesOf::Console] {
                let path = pages_path(place, &name);
                assert_eq!(tenant_of_segment(path.strip_prefix(place.prefix()).unwrap()), Some(name.clone()));
            }
        }
        for bad in
            ["", "acme.production", "acme/staging", "acme.", ".staging", "acme.staging.staging", "Acme"]
        {
            assert_eq!(tenant_of_segment(bad), None, "{bad}");
        }
    }
}
