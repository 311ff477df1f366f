//! The session of a member: a token of the user in a cookie.

use std::sync::Arc;

use http::header::{COOKIE, ORIGIN, SET_COOKIE};
use http::{HeaderMap, HeaderName, HeaderValue};
use pointbook_app::{KnownPrincipal, ServedTenant, authenticate};
use pointbook_domain::{Points, Timestamp, TokenKind, UserId};
use pointbook_http_kernel::{PageRequest, Response, requested_authority};
use pointbook_sessions::{SESSION_SECONDS, form_token};

use crate::page::PageError;

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The user whose token the cookie has.
pub(crate) struct Visitor {
    pub(crate) known: Arc<KnownPrincipal>,
    user_id: UserId,
    token: String,
}

/// The user of the cookie. `None` without a cookie, or when its token is of the back office or not valid any more.
///
/// # Errors
/// When the store fails.
pub(crate) async fn authenticated(
    served: &ServedTenant,
    request: &PageRequest<'_, KnownPrincipal>,
    now: Timestamp,
) -> Result<Option<Visitor>, PageError> {
    let Some(token) = cookie(request.headers, &cookie_name(served)) else { return Ok(None) };
    let Some(known) = authenticate(served, token.as_bytes(), now).await? else { return Ok(None) };
    let TokenKind::Customer(user_id) = known.principal.kind.clone() else { return Ok(None) };
    let known = request.principal.get_or_init(|| known).clone();
    Ok(Some(Visitor { known, user_id, token: token.to_owned() }))
}

/// A member who is signed in.
pub(crate) struct Session {
    user_id: UserId,
    /// Proves that a form is of this session.
    pub(crate) form_token: String,
    pub(crate) points: Points,
    /// The token in the cookie. It goes into no log and no page.
    pub(crate) token: String,
}

impl Session {
    /// Reads the balance of the visitor.
    ///
    /// # Errors
    /// When the store fails.
    pub(crate) async fn read(
        served: &ServedTenant,
        visitor: Visitor,
        now: Timestamp,
    ) -> Result<Self, PageError> {
        let Visitor { known: _, user_id, token } = visitor;
        let points = served.data.user(&user_id).await?.map_or(Points::ZERO, |user| user.balance);
        let form_token = form_token(&*served.secrets.get(now).await?, token.as_bytes());
        Ok(Self { user_id, form_token, points, token })
    }

    pub(crate) fn user_id(&self) -> &UserId {
        &self.user_id
    }

    /// The points that the member lacks to pay this much. 0 for a gift without a price, also when an import left the balance below 0.
    pub(crate) fn missing(&self, total: i64) -> i64 {
        if total > 0 { total.saturating_sub(self.points.get()).max(0) } else { 0 }
    }
}

/// Gives the browser the session. Scripts cannot read the cookie, and other sites' forms do not send it.
pub(crate) fn begin(served: &ServedTenant, token: &str, response: &mut Response) {
    set_cookie(served, token, SESSION_SECONDS, response);
}

/// Takes the session from the browser.
pub(crate) fn end(served: &ServedTenant, response: &mut Response) {
    set_cookie(served, "", 0, response);
}

fn set_cookie(served: &ServedTenant, value: &str, seconds: u32, response: &mut Response) {
    let name = cookie_name(served);
    let secure = if is_secure(served) { "; Secure" } else { "" };
    let cookie = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers.insert(SET_COOKIE, cookie);
    }
}

/// One name for each tenant, as shops may share a host. A browser takes a name with `__Host-` only from this host itself, by TLS.
fn cookie_name(served: &ServedTenant) -> String {
    let name = served.name();
    let prefix = if is_secure(served) { "__Host-" } else { "" };
    format!("{prefix}shop-{}-{}", name.slug, name.environment)
}

/// Whether browsers talk to the shop by TLS.
fn is_secure(served: &ServedTenant) -> bool {
    served.tenant.base_url.as_str().starts_with("https://")
}

fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let values = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = values.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(known, _)| *known == name).map(|(_, value)| value)
}

/// Whether a page of this server sent the form, as the browser says. Browsers send one of both headers with every form.
pub(crate) fn is_from_here(request: &PageRequest<'_, KnownPrincipal>) -> bool {
    let text = |name: &HeaderName| request.headers.get(name).map(|value| value.to_str().unwrap_or_default());
    if let Some(site) = text(&FETCH_SITE) {
        return matches!(site, "same-origin" | "none");
    }
    let Some(origin) = text(&ORIGIN) else { return false };
    let host = origin.split_once("://").map(|(_, host)| host.to_ascii_lowercase());
    host.is_some_and(|host| requested_authority(request.uri, request.headers).as_deref() == Some(&*host))
}
