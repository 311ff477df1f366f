//! What every operation begins and ends with.

use std::pin::Pin;

use axum::extract::{FromRequestParts, Request};
use axum::handler::Handler;
use axum::response::{IntoResponse, Response};
use http::request::Parts;
use pointbook_domain::{TokenKind, UserId};

use super::import_places::ImportPlace;
use super::{BodyLimit, Caller, HttpState, RouteSpec};
use crate::auth::Sender;
use crate::error::RateLimit;
use crate::query::QueryString;
use crate::rate_limit::RateLimiter;
use crate::{ApiError, RequestContext};

/// A handler that is only reached by those who may call its operation, within their rate limit.
#[derive(Clone)]
pub(super) struct Guarded<H> {
    route: &'static RouteSpec,
    handler: H,
}

impl<H> Guarded<H> {
    pub(super) fn new(route: &'static RouteSpec, handler: H) -> Self {
        Self { route, handler }
    }
}

impl<H: Handler<T, HttpState>, T: 'static> Handler<T, HttpState> for Guarded<H> {
    type Future = Pin<Box<dyn Future<Output = Response> + Send>>;

    fn call(self, mut request: Request, state: HttpState) -> Self::Future {
        Box::pin(async move {
            match admit(self.route, &mut request, &state).await {
                Ok((rate, _place)) => {
                    let mut response = self.handler.call(request, state).await;
                    if let Some(rate) = rate {
                        rate.write_headers(response.headers_mut());
                    }
                    response
                }
                Err(error) => error.into_response(),
            }
        })
    }
}

/// Authenticates and counts the sender, and leaves them for the handler. An import gets a place among
/// the few that may hold their bodies in memory.
async fn admit(
    route: &RouteSpec,
    request: &mut Request,
    state: &HttpState,
) -> Result<(Option<RateLimit>, Option<ImportPlace>), ApiError> {
    let context = context_of(request.extensions())?;
    context.route.set(route.name);
    let sender = Sender::authenticate(request.headers(), &context).await?;
    let rate = match (route.caller, sender.kind()) {
        (Caller::Customer | Caller::Anyone, TokenKind::Customer(user_id)) => {
            count(user_id, &context, &state.rate_limiter)?
        }
        (Caller::SuperUser | Caller::Anyone, TokenKind::SuperUser) => None,
        (Caller::Customer, TokenKind::SuperUser) => return Err(ApiError::Unauthenticated),
        (Caller::SuperUser, TokenKind::Customer(_)) => return Err(ApiError::Forbidden),
    };
    QueryString::check(request.uri().query())?;
    request.extensions_mut().insert(sender);
    let place = match route.body {
        BodyLimit::Ordinary => None,
        BodyLimit::Import => {
            Some(state.imports.clone().enter(&context.tenant.tenant.id).ok_or(ApiError::Unavailable)?)
        }
    };
    Ok((rate, place))
}

/// Counts a request of a customer, where the tenant limits them. The back office is not counted: an
/// import would shut it out.
fn count(
    user_id: &UserId,
    context: &RequestContext,
    limiter: &RateLimiter,
) -> Result<Option<RateLimit>, ApiError> {
    let tenant = &context.tenant.tenant;
    let limit = tenant.settings.rate_limit_per_minute;
    limit.map(|limit| limiter.take(&tenant.id, user_id, limit, context.now)).transpose()
}

impl<S: Sync> FromRequestParts<S> for RequestContext {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        context_of(&parts.extensions)
    }
}

fn context_of(extensions: &http::Extensions) -> Result<RequestContext, ApiError> {
    extensions.get().cloned().ok_or_else(|| {
        tracing::error!("request without context");
        ApiError::Internal
    })
}
