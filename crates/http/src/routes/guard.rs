//! What every operation begins and ends with.

use std::pin::Pin;

use axum::extract::{FromRequestParts, Request};
use axum::handler::Handler;
use axum::response::{IntoResponse, Response};
use http::request::Parts;

use super::{Caller, HttpState, RouteSpec};
use crate::auth::Customer;
use crate::error::RateLimit;
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
                Ok(rate) => {
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

/// Authenticates and counts the sender, and leaves them for the handler.
async fn admit(
    route: &RouteSpec,
    request: &mut Request,
    state: &HttpState,
) -> Result<Option<RateLimit>, ApiError> {
    let context = context_of(request.extensions())?;
    context.route.set(route.name);
    let Caller::Customer = route.caller;
    let customer = Customer::authenticate(request.headers(), &context).await?;
    let tenant = &context.tenant.tenant;
    let rate = match tenant.settings.rate_limit_per_minute {
        None => None,
        Some(limit) => Some(state.rate_limiter.take(&tenant.id, &customer.user_id, limit, context.now)?),
    };
    request.extensions_mut().insert(customer);
    Ok(rate)
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
