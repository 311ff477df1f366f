//! From the address of a request to its tenant and to the path below it.

use std::borrow::Cow;
use std::sync::Arc;

use http::header::HOST;
use http::{HeaderMap, Uri};
use pointbook_app::{Directory, ServedTenant, split_path};

/// The tenant of an address, and how many bytes of the path are its base.
pub(super) struct Found<'d> {
    pub(super) tenant: &'d Arc<ServedTenant>,
    base_bytes: usize,
}

/// Looks for the tenant at the authority and base path of a request.
pub(super) fn find_tenant<'d>(directory: &'d Directory, uri: &Uri, headers: &HeaderMap) -> Option<Found<'d>> {
    let base = split_path(uri.path())?.base;
    let authority = normalised(authority(uri, headers).unwrap_or_default());
    let tenant = directory.resolve(&authority, base)?;
    Some(Found { tenant, base_bytes: base.len() })
}

/// The authority that the client asked: that of an absolute URI, or else the `Host` header.
fn authority<'r>(uri: &'r Uri, headers: &'r HeaderMap) -> Option<&'r str> {
    match uri.authority() {
        Some(authority) => authority.as_str().rsplit('@').next(),
        None => headers.get(HOST)?.to_str().ok(),
    }
}

/// Lower case, and without a default port, as base URLs are kept. The scheme is not known here (a
/// proxy may have ended TLS), so both default ports go.
fn normalised(authority: &str) -> Cow<'_, str> {
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

impl Found<'_> {
    /// What the URI asks of the tenant.
    pub(super) fn target<'u>(&self, uri: &'u Uri) -> Target<'u> {
        let path = uri.path().get(self.base_bytes..).unwrap_or_default();
        Target { path: path.strip_suffix('/').unwrap_or(path), query: uri.query() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(uri: &str, host: Option<&'static str>) -> Option<String> {
        let mut headers = HeaderMap::new();
        if let Some(host) = host {
            headers.insert(HOST, http::HeaderValue::from_static(host));
        }
        authority(&uri.parse().unwrap(), &headers).map(|authority| normalised(authority).into_owned())
    }

    #[test]
    fn the_authority_is_lower_case_without_a_default_port() {
        assert_eq!(asked("/api", Some("ACME.example")).as_deref(), Some("acme.example"));
        assert_eq!(asked("/api", Some("acme.example:443")).as_deref(), Some("acme.example"));
        assert_eq!(asked("/api", Some("acme.example:80")).as_deref(), Some("acme.example"));
        assert_eq!(asked("/api", Some("localhost:8080")).as_deref(), Some("localhost:8080"));
        assert_eq!(asked("/api", None), None);
    }

    #[test]
    fn an_absolute_uri_wins_over_the_host_header() {
        assert_eq!(asked("http://me@Acme.example:80/api", Some("other")).as_deref(), Some("acme.example"));
    }
}
