//! The steps before and after every operation.

use http::Method;
use pointbook_domain::TokenKind;
use pointbook_domain::errors::FieldErrors;
use pointbook_store::Service;

use crate::api_request::ApiRequest;
use crate::error::ApiError;
use crate::kernel::Response;
use crate::path_params::PathParams;
use crate::query;
use crate::query_string::QueryString;
use crate::rate_limit::count::count_request;
use crate::route_spec::{Caller, RouteSpec};
use crate::sender::Sender;
use crate::site::SiteRequest;
use crate::state::HttpState;

/// Responds to a request, after checking the sender and the rate limit.
///
/// # Errors
/// Those of the sender and the rate limit, and those of the operation.
pub async fn answer<'r>(
    route: &'static RouteSpec,
    request: SiteRequest<'r>,
    service: &'r Service,
    state: &'r HttpState,
) -> Result<Response, ApiError> {
    let _ = request.route.set(route.name);
    let SiteRequest {
        tenant, now, method, path, query, headers, body, client, request_id, principal, ..
    } = request;
    let sender = Sender::authenticate(&*state.authenticator, headers, tenant, now, principal).await?;
    let sender = &sender.ok_or(ApiError::Unauthenticated)?;
    let query_string = &admit(route, &request, sender)?;
    let params = PathParams { pattern: route.path, path };
    let request = ApiRequest {
        service,
        state,
        tenant,
        now,
        method,
        path,
        params,
        query,
        query_string,
        headers,
        body,
        client,
        request_id,
        sender,
    };
    (route.handler)(request).await
}

/// Counts the sender and reads the query string.
fn admit<'r>(
    route: &RouteSpec,
    request: &SiteRequest<'r>,
    sender: &Sender<'_>,
) -> Result<QueryString<'r>, ApiError> {
    match (route.caller, sender.kind()) {
        (Caller::Customer | Caller::Anyone, TokenKind::Customer(_)) => count(route, request, sender)?,
        (Caller::Customer, TokenKind::SuperUser) => return Err(ApiError::Unauthenticated),
        (_, TokenKind::SuperUser) if !sender.networks().admit(|| request.client.ip()) => {
            return Err(ApiError::ForeignAddress);
        }
        (caller, TokenKind::SuperUser) => check_scopes(caller, sender)?,
        (Caller::Key(_) | Caller::KeyOfBoth(_), TokenKind::Customer(_)) => return Err(ApiError::Forbidden),
    }
    let query_string = query::parse(request.query)?;
    if route.method != Method::GET {
        refuse_unknown(route, &query_string)?;
    }
    Ok(query_string)
}

/// Refuses a key that lacks a scope of this operation.
///
/// # Errors
/// 403 with the first missing scope.
pub fn check_scopes(caller: Caller, sender: &Sender<'_>) -> Result<(), ApiError> {
    let lacking = caller.scopes().iter().find(|scope| !sender.scopes().contains(**scope));
    lacking.map_or(Ok(()), |scope| Err(ApiError::MissingScope(*scope)))
}

/// Refuses each parameter that a write does not describe. The caller means something with it: without this check, a mistyped `dry_run`
/// writes. Reads ignore such parameters, as the documented interface says.
fn refuse_unknown(route: &RouteSpec, query_string: &QueryString<'_>) -> Result<(), FieldErrors> {
    let mut errors = FieldErrors::default();
    let mut given = query_string.parameters().names().map(String::from_utf8_lossy).peekable();
    if given.peek().is_some() {
        let known = (route.documentation)();
        for name in given.filter(|name| !known.takes_query(name)) {
            errors.refuse_unknown("", &name);
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Counts a request of a customer.
fn count(route: &RouteSpec, request: &SiteRequest<'_>, sender: &Sender<'_>) -> Result<(), ApiError> {
    let Some(requests) = sender.requests() else { return Ok(()) };
    let tenant = &request.tenant.tenant;
    count_request(route.counted(), requests, &tenant.settings, tenant.clock.to_real(request.now))
        .map_err(ApiError::TooManyRequests)
}
