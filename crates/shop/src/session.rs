//! The session of a member: a token of the user in a cookie.

use std::sync::Arc;

use pointbook_access::sessions::form_token;
use pointbook_access::tokens::authenticate::authenticate;
use pointbook_domain::{Day, Points, Timestamp, TokenKind, UserId};
use pointbook_http::KnownPrincipal;
use pointbook_http::kernel::PageRequest;
use pointbook_http::pages::{PageError, SessionCookie};
use pointbook_points::members::read::member;
use pointbook_store::ServedTenant;

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
    let Some(token) = cookie(served).value(request.headers) else { return Ok(None) };
    let Some(known) = authenticate(served, token.as_bytes(), now).await? else { return Ok(None) };
    let TokenKind::Customer(user_id) = known.principal.kind.clone() else { return Ok(None) };
    let known = request.principal.get_or_init(|| known).clone();
    Ok(Some(Visitor { known, user_id, token: token.to_owned() }))
}

/// How many days on which points end a member sees.
const DAYS_OF_ENDING: usize = 3;

/// A member who is signed in.
pub(crate) struct Session {
    user_id: UserId,
    /// Proves that a form is of this session.
    pub(crate) form_token: String,
    pub(crate) points: Points,
    /// The next days on which some of them end, and how many do.
    pub(crate) ending: Vec<(Day, i64)>,
    /// The points that wait. `None` for no points.
    pub(crate) pending: Option<Points>,
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
        let user = member(served, &user_id, now).await?;
        let pending = user.as_ref().and_then(|user| user.pending).filter(|pending| *pending > Points::ZERO);
        let ending = user.as_ref().and_then(|user| user.lots.as_ref());
        let ending = ending.map(|lots| lots.ending().take(DAYS_OF_ENDING).collect()).unwrap_or_default();
        let points = user.map_or(Points::ZERO, |user| user.balance);
        let form_token = form_token(&*served.secrets.get(now).await?, token.as_bytes());
        Ok(Self { user_id, form_token, points, ending, pending, token })
    }

    pub(crate) fn user_id(&self) -> &UserId {
        &self.user_id
    }

    /// The points that the member lacks to pay this much. 0 for a gift without a price, also when an import left the balance below 0.
    pub(crate) fn missing(&self, total: i64) -> i64 {
        if total > 0 { total.saturating_sub(self.points.get()).max(0) } else { 0 }
    }
}

/// The cookie with the token.
pub(crate) fn cookie(served: &ServedTenant) -> SessionCookie {
    let is_secure = served.tenant.base_url.as_str().starts_with("https://");
    SessionCookie::of("shop", &served.name(), is_secure)
}
