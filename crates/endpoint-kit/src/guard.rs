//! The steps before and after every operation.

use http::Method;
use pointbook_customers::count_request;
use pointbook_domain::TokenKind;
use pointbook_http_kernel::Response;
use pointbook_query_string::{NO_QUERY, QueryString};
use pointbook_requests::{Sender, query};

use crate::{ApiError, ApiRequest, Caller, HttpState, RouteSpec};

/// Responds to a request, after checking the sender and the rate limit.
pub async fn answer(route: &'static RouteSpec, request: ApiRequest<'_>, state: &HttpState) -> Response {
    let _ = request.route.set(route.name);
    let sender =
        match Sender::authenticate(request.headers, request.tenant, request.now, request.principal).await {
            Ok(Some(sender)) => sender,
            Ok(None) => return ApiError::Unauthenticated.into_response(),
            Err(error) => return ApiError::from(error).into_response(),
        };
    let request = ApiRequest { pattern: route.path, sender: Some(&sender), ids: Some(&state.ids), ..request };
    let query_string = match admit(route, &request, &sender) {
        // Other writes have no parameters, and do not keep them while their bodies arrive.
        Ok(query_string) => keeps_query(route).then_some(query_string),
        Err(error) => return error.into_response(),
    };
    let request = ApiRequest { query_string: query_string.as_ref().unwrap_or(&NO_QUERY), ..request };
    (route.handler)(state, request).await.unwrap_or_else(ApiError::into_response)
}

/// Reads and imports have parameters. An import is known by its name, because a tree of categories has the ordinary limit of bodies.
pub fn keeps_query(route: &RouteSpec) -> bool {
    route.method == Method::GET || route.name.ends_with(".import")
}

/// Counts the sender and reads the query string.
fn admit<'r>(
    route: &RouteSpec,
    request: &ApiRequest<'r>,
    sender: &Sender<'_>,
) -> Result<QueryString<'r>, ApiError> {
    if !sender.networks().admit(|| request.client.ip()) {
        return Err(ApiError::ForeignAddress);
    }
    match (route.caller, sender.kind()) {
        (Caller::Customer | Caller::Anyone, TokenKind::Customer(_)) => count(route, request, sender)?,
        (Caller::Customer, TokenKind::SuperUser) => return Err(ApiError::Unauthenticated),
        (caller, TokenKind::SuperUser) => {
            let lacking = caller.scopes().iter().find(|scope| !sender.scopes().contains(**scope));
            lacking.map_or(Ok(()), |scope| Err(ApiError::MissingScope(*scope)))?;
        }
        (Caller::Key(_) | Caller::KeyOfBoth(_), TokenKind::Customer(_)) => return Err(ApiError::Forbidden),
    }
    Ok(query::parse(request.query)?)
}

/// Counts a request of a customer. The back office is not counted, because an import would use up the limit.
fn count(route: &RouteSpec, request: &ApiRequest<'_>, sender: &Sender<'_>) -> Result<(), ApiError> {
    let Some(requests) = sender.requests() else { return Ok(()) };
    let tenant = &request.tenant.tenant;
    count_request(route.counted, requests, &tenant.settings, tenant.clock.to_real(request.now))
        .map_err(ApiError::TooManyRequests)
}
