//! The attempt that a browser keeps while the person is at the issuer.

use data_encoding::BASE64URL_NOPAD;
use http::HeaderMap;
use pointbook_domain::TenantName;
use pointbook_http::kernel::Response;
use pointbook_http::pages::SessionCookie;

use super::now_seconds;
use crate::console_kit::Visit;
use crate::openid::{ATTEMPT_SECONDS, Attempt};
use crate::sessions::{PagesOf, tenant_of_segment};

/// An attempt, and the tenant for which it is. A browser has one at a time for a host.
pub(super) struct StartedAttempt {
    /// The tenant, as in the paths of its console.
    segment: String,
    began_at_seconds: i64,
    secret: [u8; 32],
    is_secure: bool,
}

impl StartedAttempt {
    /// A new attempt, now.
    pub(super) fn new(visit: &Visit<'_>) -> Self {
        let segment = visit.root.strip_prefix(PagesOf::Console.prefix()).unwrap_or_default();
        Self {
            segment: segment.to_owned(),
            began_at_seconds: now_seconds(visit.shared),
            secret: visit.shared.secrets.secret(),
            is_secure: visit.shared.entrance.origin.is_secure(&visit.served.tenant),
        }
    }

    /// The attempt of the browser.
    pub(super) fn read(headers: &HeaderMap) -> Option<Self> {
        [true, false].into_iter().find_map(|is_secure| {
            let text = cookie(is_secure).value(headers)?;
            let (segment, rest) = text.split_once(':')?;
            let (began_at, secret) = rest.split_once(':')?;
            let secret = BASE64URL_NOPAD.decode(secret.as_bytes()).ok()?.try_into().ok()?;
            let began_at_seconds = began_at.parse().ok()?;
            Some(Self { segment: segment.to_owned(), began_at_seconds, secret, is_secure })
        })
    }

    pub(super) fn tenant(&self) -> Option<TenantName> {
        tenant_of_segment(&self.segment)
    }

    /// Whether the browser sends the cookie to this host by TLS only, so that no one on the way can have planted it.
    pub(super) fn is_secure(&self) -> bool {
        self.is_secure
    }

    pub(super) fn attempt(&self) -> Attempt {
        Attempt::new(self.secret, &self.segment, self.began_at_seconds)
    }

    /// Gives the browser the attempt.
    pub(super) fn give(&self, response: &mut Response) {
        let Self { segment, began_at_seconds, secret, is_secure } = self;
        let text = format!("{segment}:{began_at_seconds}:{}", BASE64URL_NOPAD.encode(secret));
        cookie(*is_secure).set(&text, ATTEMPT_SECONDS, response);
    }
}

/// Takes from the browser what it sent.
pub(super) fn take(headers: &HeaderMap, response: &mut Response) {
    for cookie in [true, false].map(cookie) {
        if cookie.value(headers).is_some() {
            cookie.remove(response);
        }
    }
}

fn cookie(is_secure: bool) -> SessionCookie {
    SessionCookie::of_host("console-openid", is_secure)
}
