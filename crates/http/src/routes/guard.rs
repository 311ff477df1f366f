//! What every operation begins and ends with.

use pointbook_domain::{TokenKind, UserId};

use super::import_places::ImportPlace;
use super::{BodyLimit, Caller, HttpState, RouteSpec};
use crate::auth::Sender;
use crate::error::RateLimit;
use crate::query::QueryString;
use crate::rate_limit::RateLimiter;
use crate::response::Response;
use crate::{ApiError, Asked};

/// Answers a request by an operation, which is only reached by those who may call it, within their rate
/// limit.
pub(super) async fn answer(route: &RouteSpec, asked: Asked<'_>, state: &HttpState) -> Response {
    asked.route.set(route.name);
    let sender = match Sender::authenticate(asked.headers, asked.tenant, asked.now).await {
        Ok(sender) => sender,
        Err(error) => return error.into_response(),
    };
    let (rate, _place) = match admit(route, &asked, &sender, state) {
        Ok(admitted) => admitted,
        Err(error) => return error.into_response(),
    };
    let answered = (route.handler)(state, Asked { sender: Some(&sender), ..asked }).await;
    let mut response = answered.unwrap_or_else(ApiError::into_response);
    if let Some(rate) = rate {
        rate.write_headers(&mut response.headers);
    }
    response
}

/// Counts the sender and looks at the query. An import gets a place among the few that may hold their
/// bodies in memory.
fn admit(
    route: &RouteSpec,
    asked: &Asked<'_>,
    sender: &Sender<'_>,
    state: &HttpState,
) -> Result<(Option<RateLimit>, Option<ImportPlace>), ApiError> {
    let rate = match (route.caller, sender.kind()) {
        (Caller::Customer | Caller::Anyone, TokenKind::Customer(user_id)) => {
            count(user_id, asked, &state.rate_limiter)?
        }
        (Caller::SuperUser | Caller::Anyone, TokenKind::SuperUser) => None,
        (Caller::Customer, TokenKind::SuperUser) => return Err(ApiError::Unauthenticated),
        (Caller::SuperUser, TokenKind::Customer(_)) => return Err(ApiError::Forbidden),
    };
    QueryString::check(asked.query)?;
    let place = match route.body {
        BodyLimit::Ordinary => None,
        BodyLimit::Import => {
            let place = state.imports.clone().enter(&asked.tenant.tenant.id);
            Some(place.ok_or(ApiError::Unavailable)?)
        }
    };
    Ok((rate, place))
}

/// Counts a request of a customer, where the tenant limits them. The back office is not counted: an
/// import would shut it out.
fn count(user_id: &UserId, asked: &Asked<'_>, limiter: &RateLimiter) -> Result<Option<RateLimit>, ApiError> {
    let tenant = &asked.tenant.tenant;
    let limit = tenant.settings.rate_limit_per_minute;
    limit.map(|limit| limiter.take(&tenant.id, user_id, limit, asked.now)).transpose()
}
