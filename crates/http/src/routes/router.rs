//! The router, made from the table of operations.

use std::collections::BTreeMap;

use axum::Router;
use axum::body::Body;
use axum::response::{IntoResponse, Response};
use axum::routing::MethodRouter;
use http::header::ALLOW;
use http::{HeaderValue, Method};

use super::{HttpState, routes};
use crate::{ApiError, RequestContext};

/// A router of all operations. It expects a [`RequestContext`] in the extensions of a request, and
/// leaves the route's name in its slot, unless no route has the path.
pub fn router(state: HttpState) -> Router {
    let mut paths: BTreeMap<&str, (&str, &str, MethodRouter<HttpState>)> = BTreeMap::new();
    for route in routes() {
        let new_path = || (route.allow, route.name, MethodRouter::new());
        let (_, _, methods) = paths.entry(route.path).or_insert_with(new_path);
        *methods = std::mem::take(methods).merge((route.mount)(route));
    }
    let mut router = Router::new();
    for (path, (allow, name, methods)) in paths {
        let other = move |context: RequestContext, method: Method| async move {
            context.route.set(name);
            other_method(method, allow)
        };
        router = router.route(path, methods.fallback(other));
    }
    router.fallback(|| async { ApiError::NotFound }).with_state(state)
}

/// The answer to a method that the path does not have: OPTIONS tells which it has.
fn other_method(method: Method, allow: &'static str) -> Response {
    if method != Method::OPTIONS {
        return ApiError::MethodNotAllowed { method, allowed: allow }.into_response();
    }
    let mut response = Response::new(Body::empty());
    response.headers_mut().insert(ALLOW, HeaderValue::from_static(allow));
    response
}
