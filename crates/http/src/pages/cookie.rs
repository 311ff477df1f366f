//! The cookies of sessions, and whether a form comes from a page of this server.

use std::collections::BTreeSet;

use http::header::{COOKIE, ORIGIN, SET_COOKIE, STRICT_TRANSPORT_SECURITY};
use http::{HeaderMap, HeaderName, HeaderValue};
use pointbook_domain::TenantName;

use crate::kernel::{PageRequest, Response, requested_authority};

const ONE_YEAR: HeaderValue = HeaderValue::from_static("max-age=31536000");

const HOST_ONLY: &str = "__Host-";

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The cookie of one kind of session. Scripts cannot read it, and other sites' forms do not send it.
pub struct SessionCookie {
    name: String,
    is_secure: bool,
}

impl SessionCookie {
    /// One name for each kind and tenant, as tenants may share a host. A browser takes a name with `__Host-` only from this host
    /// itself, by TLS.
    pub fn of(kind: &str, name: &TenantName, is_secure: bool) -> Self {
        Self::of_host(&format!("{kind}-{}-{}", name.slug, name.environment), is_secure)
    }

    /// One name for all tenants of the host.
    pub fn of_host(kind: &str, is_secure: bool) -> Self {
        let prefix = if is_secure { HOST_ONLY } else { "" };
        Self { name: format!("{prefix}{kind}"), is_secure }
    }

    /// The value that the browser sent.
    pub fn value<'h>(&self, headers: &'h HeaderMap) -> Option<&'h str> {
        sent(headers).find(|(known, _)| *known == self.name).map(|(_, value)| value)
    }

    /// The tenants for which the browser sent a cookie of this kind. They need not exist.
    pub fn tenants(kind: &str, headers: &HeaderMap) -> BTreeSet<TenantName> {
        let named = sent(headers).filter_map(|(name, _)| {
            let name = name.strip_prefix(HOST_ONLY).unwrap_or(name).strip_prefix(kind)?.strip_prefix('-')?;
            let (slug, environment) = name.rsplit_once('-')?;
            TenantName::parse(&format!("{slug}/{environment}")).ok()
        });
        named.collect()
    }

    /// Gives the browser the value for this time. Where browsers come by TLS, the browser comes by nothing else for a year.
    pub fn set(&self, value: &str, seconds: u32, response: &mut Response) {
        if self.is_secure {
            response.headers.insert(STRICT_TRANSPORT_SECURITY, ONE_YEAR);
        }
        let secure = if self.is_secure { "; Secure" } else { "" };
        let name = &self.name;
        let cookie = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            response.headers.append(SET_COOKIE, cookie);
        }
    }

    /// Takes the cookie from the browser.
    pub fn remove(&self, response: &mut Response) {
        self.set("", 0, response);
    }
}

/// The names and values of all cookies.
fn sent(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    let values = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='))
}

/// Whether a page of this server sent the form, as the browser says. Browsers send one of both headers with every form.
pub fn is_from_here<K>(request: &PageRequest<'_, K>) -> bool {
    let text = |name: &HeaderName| request.headers.get(name).map(|value| value.to_str().unwrap_or_default());
    if let Some(site) = text(&FETCH_SITE) {
        // `none` is a link that a person opened, which is never a form.
        return site == "same-origin";
    }
    let Some(origin) = text(&ORIGIN) else { return false };
    // Behind a proxy, the server does not know the scheme of the page.
    let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
    let host = host.map(str::to_ascii_lowercase);
    host.is_some_and(|host| requested_authority(request.uri, request.headers).as_deref() == Some(&*host))
}
